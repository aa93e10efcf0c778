/** The function that every harness evaluates: some work, and an answer later. */
export async function answer(question) {
  const numbers = (question.match(/\d+/g) ?? []).map(Number);
  await Promise.resolve();
  const [, sold = 0] = numbers;
  return String(sold + sold / 2);
}
