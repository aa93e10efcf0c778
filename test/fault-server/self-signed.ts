import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate that nobody vouches for, made on the spot so that no key lies in the repository. */
export function selfSignedCertificate(): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const algorithm = sequence(objectId('2b6570'));
  const name = sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from('fault')))));
  const validity = sequence(utcTime('200101000000Z'), utcTime('491231235959Z'));
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(objectId('551d11'), der(0x04, sequence(loopbackAddress))))),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign(null, content, privateKey)]));
  const base64 = sequence(content, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, ...parts);
}

function objectId(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text));
}

/** The one address that the certificate is good for. */
const loopbackAddress = der(0x87, Buffer.from([127, 0, 0, 1]));
