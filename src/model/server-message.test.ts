import { expect, test } from 'vitest';
import { serverMessage } from './server-message.ts';

test.each([
  ['{"error":{"message":"no such model","code":404}}', 'no such model'],
  ['{"error":"overloaded"}', 'overloaded'],
  ['{"object":"error","message":"too long"}', 'too long'],
  ['{"detail":"Not Found"}', 'Not Found'],
  ['{"detail":[{"loc":["body"],"msg":"missing"}]}', '[{"loc":["body"],"msg":"missing"}]'],
  ['{"error":{"reason":"x"}}', '{"reason":"x"}'],
  ['{"something":1}', '{"something":1}'],
  ['  upstream gone \n', 'upstream gone'],
  ['<!DOCTYPE html><title> Bad gateway </title><h1>502</h1>', 'a web page, “Bad gateway”'],
  ['<html><body>x</body></html>', 'a web page'],
  ['', ''],
])('%j says %j', (body, expected) => {
  expect(serverMessage(body, [])).toBe(expected);
});

test('long messages are cut, and secrets are hidden before that', () => {
  const key = 'sk-0123456789';
  const body = `${'x'.repeat(2040)}${key}${'y'.repeat(5000)}`;
  const message = serverMessage(body, [key]);
  expect(message).toHaveLength(2048);
  expect(message).toMatch(/x\*\*\*y{4}…$/);
});

test('texts too short to be secrets stay', () => {
  expect(serverMessage('a bad day', ['a', ''])).toBe('a bad day');
});
