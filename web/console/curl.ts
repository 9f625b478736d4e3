/** The request of a delivery as a curl command, without what nobody is shown: signatures and secret headers. */
import { quoted } from '../quoted.ts';
import type { DeliveryWithLog } from './api/resources.ts';

/** What the API does not show has an ellipsis in its place. */
const isHidden = (value: string): boolean => value.includes('…');

/** Returns the command. Its first line names the headers that are missing in it. */
export const curlOf = ({ method, url, headers, body }: NonNullable<DeliveryWithLog['request']>): string => {
  const sent = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  const hidden = sent.filter(([, value]) => isHidden(value)).map(([name]) => name);
  const command = [
    `curl -i -X ${method} ${quoted(url)}`,
    ...sent.filter(([, value]) => !isHidden(value)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`--data-raw ${quoted(body)}`]),
  ].join(' \\\n  ');
  return hidden.length === 0 ? command : `# Without ${hidden.join(', ')}\n${command}`;
};
