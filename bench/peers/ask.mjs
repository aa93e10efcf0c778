import { answer } from './answer.mjs';

/** The function as Typecase takes it. */
export const ask = ({ prompt }) => answer(prompt);
