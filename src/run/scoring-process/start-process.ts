import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The process that scores what is heavy work. */
export class ScoringProcess {
  readonly #child: ChildProcess;
  #isOutOfMemory = false;
  readonly #end = () => this.end();

  constructor(megabytes: number) {
    this.#child = spawn(process.execPath, [`--max-old-space-size=${megabytes}`, ...program()], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      // Interrupts from the keyboard go to those who can heed them.
      detached: true,
      windowsHide: true,
    });
    this.#child.on('exit', (code, signal) => {
      this.#isOutOfMemory = signal === 'SIGABRT' || code === 134;
      process.off('exit', this.#end);
    });
    process.on('exit', this.#end);
  }

  /** V8 gives up all of the process. */
  get isOutOfMemory(): boolean {
    return this.#isOutOfMemory;
  }

  /** What the process says to this. Fails if it ends. */
  ask(message: unknown): Promise<unknown> {
    const child = this.#child;
    child.ref();
    child.channel?.ref();
    return new Promise((resolve, reject) => {
      const settle = () => {
        child.off('message', onMessage).off('error', onError).off('exit', onExit);
      };
      const onMessage = (notice: unknown) => {
        settle();
        resolve(notice);
      };
      const onError = (error: Error) => {
        settle();
        reject(error);
      };
      const onExit = () => onError(new Error('the scoring process ended'));
      child.on('message', onMessage).on('error', onError).on('exit', onExit);
      child.send(message as object, (error) => error && onError(error));
    });
  }

  /** A process that has nothing to do keeps no other alive. */
  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }
}

/** In the package the program is a file beside this one. Its source has to be compiled first. */
function program(): string[] {
  if (!import.meta.url.endsWith('.ts')) {
    return [fileURLToPath(new URL('./scoring-process.js', import.meta.url))];
  }
  const compiler = pathToFileURL(createRequire(import.meta.url).resolve('tsx'));
  return ['--import', compiler.href, fileURLToPath(new URL('./process.ts', import.meta.url))];
}
