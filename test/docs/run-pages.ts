/** The pages whose commands are run from the first line to the last, each in an empty project. */
export const runPages = ['README.md', 'docs/getting-started.md', 'docs/guides/*.md'];
