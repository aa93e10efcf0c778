export interface JudgedAnswer {
  readonly question: string;
  readonly reference: string;
  readonly response: string;
}

/** What a language model is asked to judge an answer of the GQA family. */
export function judgePrompt({ question, reference, response }: JudgedAnswer): string {
  return [
    'You are grading a visual question answering task. Decide if the model answer matches the ' +
      'reference answer in the context of the question. ' +
      'Respond EXACTLY with one word: correct or incorrect.',
    `Q: ${question}`,
    `Reference: ${reference}`,
    `Response: ${response}`,
    'Answer:',
  ].join('\n');
}

/** What the judge says; anything unclear counts as incorrect. */
export function readVerdict(said: string | null): 'correct' | 'incorrect' {
  const text = (said ?? '').toLowerCase();
  return text.includes('correct') && !text.includes('incorrect') ? 'correct' : 'incorrect';
}
