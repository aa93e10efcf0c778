/** Thrown when the user leaves a question unanswered. */
export class Cancelled extends Error {}
