import { hash } from 'node:crypto';

/** What the replies look at in the body of a request. */
export interface WireBody {
  readonly model: string;
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[];
  readonly prompt?: string | readonly string[] | readonly number[];
  readonly input?: string | readonly string[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly echo?: boolean;
  readonly logprobs?: number;
}

/** A number from 0 to below 2^32 that a text stands for. */
export function numberOf(text: string): number {
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16);
}
