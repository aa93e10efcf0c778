export { startFaultServer } from './fault-server.ts';
export { startFaultServerProcess } from './fault-server-process.ts';
export type { Fault, FaultServer, FaultServerOptions } from './options.ts';
export { selfSignedCertificate } from './self-signed.ts';
