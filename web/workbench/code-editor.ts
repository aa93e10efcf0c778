import {
  acceptCompletion,
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Text } from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** A remark with its place in the text; lines and columns count from 1. */
export interface PlacedRemark {
  readonly kind: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly at: { readonly line: number; readonly column: number };
}

export interface CodeEditor {
  readonly setText: (text: string) => void;
  readonly setForm: (form: 'text' | 'yaml') => void;
  readonly setColumns: (columns: readonly string[]) => void;
  readonly setRemarks: (remarks: readonly PlacedRemark[]) => void;
  /** Puts the cursor at a place. */
  readonly goTo: (line: number, column: number) => void;
  readonly destroy: () => void;
}

interface EditorSettings {
  readonly parent: HTMLElement;
  readonly text: string;
  readonly form: 'text' | 'yaml';
  readonly label: string;
  readonly nonce: string;
  readonly isReadOnly: boolean;
  readonly onChange: (text: string) => void;
}

const roles = ['HUMAN', 'BOT', 'SYSTEM', 'system', 'user', 'assistant'];
const keys = [
  'prompt_template',
  'ice_template',
  'template',
  'messages',
  'ice_token',
  'begin',
  'round',
  'end',
  'role',
  'prompt',
  'content',
];

/** An editor for templates: columns and roles are completed, mistakes are marked where they are. */
export function openCodeEditor(settings: EditorSettings): CodeEditor {
  const { parent, text, form, label, nonce, isReadOnly, onChange } = settings;
  let columns: readonly string[] = [];
  const language = new Compartment();
  const languageOf = (of: 'text' | 'yaml') => (of === 'yaml' ? [yaml()] : []);
  let isYaml = form === 'yaml';
  const complete = (context: CompletionContext): CompletionResult | null => {
    const column = context.matchBefore(/\{[^{}\n]*/);
    if (column) {
      const after = context.state.sliceDoc(context.pos, context.pos + 1) === '}' ? '' : '}';
      return {
        from: column.from + 1,
        options: columns.map((name) => ({
          label: name,
          apply: `${name}${after}`,
          type: 'variable',
        })),
        validFor: /^[^{}\n]*$/,
      };
    }
    const role = isYaml ? context.matchBefore(/role:\s*\w*/) : null;
    if (role) {
      return {
        from: role.from + (/^role:\s*/.exec(role.text)?.[0].length ?? 0),
        options: roles.map((name) => ({ label: name, type: 'keyword' })),
      };
    }
    const word = isYaml ? context.matchBefore(/(?:^|[\s{,-])\w+$/) : null;
    if (!word || (!context.explicit && word.text.trim().length < 2)) return null;
    return {
      from: word.to - word.text.replace(/^\W/, '').length,
      options: keys.map((name) => ({ label: name, apply: `${name}: `, type: 'property' })),
    };
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        // Other line ends are characters of the template, and stay.
        EditorState.lineSeparator.of('\n'),
        EditorView.cspNonce.of(nonce),
        EditorState.readOnly.of(isReadOnly),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        lineNumbers(),
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        lintGutter(),
        autocompletion({ override: [complete], icons: false }),
        keymap.of([
          { key: 'Tab', run: acceptCompletion },
          ...completionKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          indentWithTab,
        ]),
        language.of(languageOf(form)),
        syntaxHighlighting(highlighting),
        columnMarks(() => columns),
        looks,
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    setText: (next) => {
      if (next === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    setForm: (next) => {
      isYaml = next === 'yaml';
      view.dispatch({ effects: language.reconfigure(languageOf(next)) });
    },
    setColumns: (next) => {
      columns = next;
      view.dispatch({});
    },
    setRemarks: (remarks) => {
      view.dispatch(setDiagnostics(view.state, remarks.map(placed(view.state.doc))));
    },
    goTo: (line, column) => {
      const at = offsetOf(view.state.doc, line, column);
      view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  return Math.min(to, from + Math.max(0, column - 1));
}

function placed(doc: Text): (remark: PlacedRemark) => Diagnostic {
  return ({ kind, message, at }) => {
    const from = offsetOf(doc, at.line, at.column);
    const rest = doc.sliceString(from, doc.lineAt(from).to);
    const length = /^\{[^{}]*\}|^\S+/.exec(rest)?.[0].length ?? 0;
    const severity = kind === 'note' ? 'info' : kind;
    return { from, to: from + length, severity, message };
  };
}

const known = Decoration.mark({ class: 'cm-column' });
const unknown = Decoration.mark({ class: 'cm-column cm-unknown' });

/** Marks what is filled in. */
function columnMarks(columns: () => readonly string[]) {
  const matcher = new MatchDecorator({
    regexp: /\{([^{}\n]+)\}/g,
    decoration: (match) => (columns().includes(match[1] ?? '') ? known : unknown),
  });
  return ViewPlugin.define(
    (view) => ({
      marks: matcher.createDeco(view),
      update(update) {
        this.marks = matcher.createDeco(update.view);
      },
    }),
    { decorations: (plugin) => plugin.marks },
  );
}

const highlighting = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--accent)' },
  { tag: [tags.comment], color: 'var(--soft)' },
  { tag: [tags.punctuation, tags.separator], color: 'var(--soft)' },
]);

const looks = EditorView.theme({
  '&': { backgroundColor: 'var(--card)', color: 'var(--ink)', fontSize: '0.87rem' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-content': { fontFamily: 'var(--mono)', padding: '0.6rem 0', caretColor: 'var(--ink)' },
  '.cm-scroller': { lineHeight: '1.55', fontFamily: 'var(--mono)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--soft)', border: '0' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    { backgroundColor: 'var(--band)' },
  '.cm-column': { backgroundColor: 'var(--o-field)', borderRadius: '2px' },
  '.cm-unknown': { backgroundColor: 'var(--o-mask)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--card)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--paper)',
  },
});
