export const upper = async (output) => output.toUpperCase();
