/** About 25 days. A timer for longer would fire at once. */
export const maxTimerMs = 2 ** 31 - 1;
