// biome-ignore lint/style/noDefaultExport: promptfoo wants one
export default (output) => output === 'Paris';
