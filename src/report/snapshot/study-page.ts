/** A picture as SVG, with what it shows in words. */
export interface StudyFigure {
  readonly caption: string;
  readonly svg: string;
}

/** A part of a study. */
export type StudyBlock =
  | { readonly type: 'heading' | 'text' | 'advice'; readonly text: string }
  | {
      readonly type: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
      /** Cells are words, not numbers. */
      readonly isText?: true;
      /** Rows that are to be looked at. */
      readonly marked?: readonly number[];
    }
  | { readonly type: 'figures'; readonly figures: readonly StudyFigure[] };

/** A study as a page shows it: sections of texts, tables and pictures. */
export interface StudyPage {
  readonly title: string;
  readonly sections: readonly { readonly title: string; readonly blocks: readonly StudyBlock[] }[];
}
