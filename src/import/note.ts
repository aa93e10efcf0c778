/** What of a config has no exact counterpart, and what became of it. */
export interface Note {
  /** What it is about: the class or key. */
  readonly name: string;
  readonly text: string;
  /** Other prompts are sent than the config means. */
  readonly changesPrompts?: true;
  /** It is said, and scored all the same. */
  readonly isMinor?: true;
}
