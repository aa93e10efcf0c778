/// <reference lib="esnext.disposable" />

// The declarations of the package name it; projects with neither `@types/node` nor the DOM lack it.
interface AbortSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
}
