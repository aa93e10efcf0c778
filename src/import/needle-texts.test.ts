import { expect, test } from 'vitest';
import { needleTexts } from './needle-texts.ts';

const relatives = `
relationship_templates_zh_CN = [
    '{A}是{B}的{relationship}。',
]
relationship_terms_zh_CN = ['父亲', '母亲']
relationship_templates_en = ['{A} is {B}\\'s {relationship}.', ]
relationship_terms_en = ['father']
`;

test('prompts stand in texts of several lines', () => {
  const source = `
        if language == 'Chinese':
            if quesiton_position == 'End':
                prompt = f'''读
{context}
问 \\\\boxed{{}} {retrieval_question}'''
            elif quesiton_position == 'Start':
                prompt = f'''先'''
        elif language == 'English':
            if quesiton_position == 'End':
                prompt = f'''read {context}, {retrieval_question}'''
            elif quesiton_position == 'Start':
                prompt = f'''first {retrieval_question}'''
        if language == 'Chinese':
            retrieval_question = f"'{last_person}'是谁？"
        else:
            retrieval_question = f"who is '{last_person}'?"
        retrieval_question = (questions + "按'" + answers_format +
                              "'。")
        retrieval_question = (questions +
                              "As '" + answers_format + "'")
`;
  const of = (settings: Readonly<Record<string, string>>) =>
    needleTexts({ source, relatives, settings });
  expect(of({ language: 'Chinese' })).toEqual({
    prompt: '读\n{context}\n问 \\boxed{{}} {retrieval_question}',
    ask: "按'",
    form: "'。",
    question: "'{last_person}'是谁？",
    terms: ['父亲', '母亲'],
    sentences: ['{A}是{B}的{relationship}。'],
  });
  expect(of({ language: 'English', quesiton_position: 'Start' })).toMatchObject({
    prompt: 'first {retrieval_question}',
    ask: "As '",
    form: "'",
    question: "who is '{last_person}'?",
    terms: ['father'],
    sentences: ["{A} is {B}'s {relationship}."],
  });
});

test('prompts are put together from pieces, with a hint before the form', () => {
  const source = `
            if language == 'Chinese':
                parts = retrieval_question.split('请')
                guide = (parts[0] + '想'
                         '一想。请' + parts[1])
            elif language == 'English':
                parts = retrieval_question.split('Please')
                guide = (
                    parts[0] + 'Think.'
                    ' Please' + parts[1])
                if position == 'End':
                    prompt = ('读\\n'
                              f'{context}')
                elif position == 'Start':
                if position == 'End':
                    prompt = (
                        'Read '
                        f'{context}\\n\\n{retrieval_question}')
                elif position == 'Start':
`;
  expect(needleTexts({ source, relatives: '', settings: { language: 'English' } })).toEqual({
    prompt: 'Read {context}\n\n{retrieval_question}',
    hint: 'Think. Please',
    mark: 'Please',
  });
  expect(needleTexts({ source, relatives: '', settings: { language: 'Chinese' } })).toEqual({
    prompt: '读\n{context}',
    hint: '想一想。请',
    mark: '请',
  });
});
