export const isLong = (output) => ({
  pass: output.length > 1000,
  score: 0,
  reason: 'by its length',
});
export const least = async (output, { config }) => output.length >= config.least;
