import { useEffect, useRef } from 'preact/hooks';
import type { TemplateText } from '../../src/server/viewer/workbench/template-text.ts';
import type { CodeEditor, PlacedRemark } from './code-editor.ts';

interface EditorProps {
  readonly templates: TemplateText;
  /** Another number: the text was replaced by something else than the editor. */
  readonly epoch: number;
  readonly label: string;
  readonly columns: readonly string[];
  readonly remarks: readonly PlacedRemark[];
  readonly onChange: (text: string) => void;
  /** Hands out what puts the cursor somewhere. */
  readonly onOpen: (editor: Pick<CodeEditor, 'goTo'>) => void;
}

/** The text of the templates in an editor, which is loaded when it is first needed. */
export function Editor({
  templates,
  epoch,
  label,
  columns,
  remarks,
  onChange,
  onOpen,
}: EditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | undefined>(undefined);
  const current = useRef({ templates, columns, remarks, onChange });
  current.current = { templates, columns, remarks, onChange };
  useEffect(() => {
    let isGone = false;
    import('./code-editor.ts').then(({ openCodeEditor }) => {
      if (isGone || !box.current) return;
      const nonce = document.querySelector<HTMLMetaElement>('meta[name=typecase-nonce]')?.content;
      const { text, form } = current.current.templates;
      editor.current = openCodeEditor({
        parent: box.current,
        ...{ text, form, label },
        nonce: nonce ?? '',
        isReadOnly: false,
        onChange: (next) => current.current.onChange(next),
      });
      editor.current.setColumns(current.current.columns);
      editor.current.setRemarks(current.current.remarks);
      onOpen(editor.current);
    });
    return () => {
      isGone = true;
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, []);
  useEffect(() => editor.current?.setText(templates.text), [epoch]);
  useEffect(() => editor.current?.setForm(templates.form), [templates.form]);
  useEffect(() => editor.current?.setColumns(columns), [columns.join('\n')]);
  useEffect(() => editor.current?.setRemarks(remarks), [remarks]);
  return <div class="editor" ref={box} />;
}
