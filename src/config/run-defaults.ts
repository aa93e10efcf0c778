/** What a model does in a run unless its config says otherwise. */
export const modelDefaults = { batchSize: 64, timeout: 600, retries: 5, stream: false } as const;

/** Folder of the runs, relative to where the command is started. */
export const defaultWorkDir = 'runs';
