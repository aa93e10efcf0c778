// Runs one command of the built command line after another in this process: loading it takes longer than most commands.
import { fileURLToPath, pathToFileURL } from 'node:url';

const cli = pathToFileURL(fileURLToPath(new URL('../../dist/cli.js', import.meta.url))).href;
const send = process.send.bind(process);
const write = { stdout: process.stdout.write, stderr: process.stderr.write };
let count = 0;

// Each load of the entry listens anew.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0);

// What a command would tell the process that watches it.
process.send = undefined;
process.exit = () => undefined;
process.on('message', async ({ args, cwd }) => {
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) {
    process[name].write = (text, ...rest) => {
      output[name] += text;
      const done = rest.at(-1);
      if (typeof done === 'function') done();
      return true;
    };
  }
  process.chdir(cwd);
  process.argv = [process.argv[0], 'typecase', ...args];
  process.exitCode = undefined;
  count += 1;
  let error;
  // The entry runs when it is loaded; what it imports is loaded once.
  await import(`${cli}?${count}`).catch((thrown) => {
    error = String(thrown?.stack ?? thrown);
  });
  const code = error === undefined ? (process.exitCode ?? 0) : 1;
  for (const name of ['stdout', 'stderr']) process[name].write = write[name];
  process.exitCode = 0;
  send({ code, ...output, error });
});
