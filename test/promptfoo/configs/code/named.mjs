// biome-ignore lint/style/noDefaultExport: promptfoo wants one
export default (output, context) => output.includes(context.vars.name);
