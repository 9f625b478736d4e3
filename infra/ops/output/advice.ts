/** Why an attempt failed, and what to do: the sentences of the console. */
import { advice, causeOf } from '../../../shared/deliveries/cause.ts';

/** Returns the advice for an attempt without success; `url` is its target, if it is known. */
export const adviceFor = (status: string | null, error: string | null, url?: string): string => {
  const { host, pathname } = url === undefined ? { host: 'the receiver', pathname: 'this path' } : new URL(url);
  const sentence = advice[causeOf(status, error)]({ host, path: pathname });
  return url === undefined ? sentence.slice(0, 1).toUpperCase() + sentence.slice(1) : sentence;
};
