import { createServer, type Socket } from 'node:net';

// The least work that answers an HTTP request: finds the end of its body and sends ready bytes.
const body = process.argv[2] ?? '';
const response = Buffer.from(
  [
    'HTTP/1.1 200 OK',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n'),
);

function serve(socket: Socket): void {
  let pending = '';
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (text: string) => {
    pending += text;
    for (;;) {
      const headEnd = pending.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(pending)?.[1] ?? 0);
      const end = headEnd + 4 + length;
      if (pending.length < end) return;
      pending = pending.slice(end);
      socket.write(response);
    }
  });
}

const server = createServer(serve).listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
