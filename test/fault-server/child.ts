import { startFaultServer } from './fault-server.ts';
import type { PlainFaultServerOptions } from './options.ts';

// Started by `startFaultServerProcess`: options in, address out, then counts on demand.
const options: PlainFaultServerOptions = JSON.parse(process.argv[2] ?? '{}');
const server = await startFaultServer(options);
process.on('message', async () => process.send?.(await server.stats()));
process.on('disconnect', () => process.exit());
process.send?.(server.url);
