/** Reads from API Gateway: the calls that would need an SDK client of their own. */
import type { STSClient } from '@aws-sdk/client-sts';
import { SignatureV4 } from '@smithy/signature-v4';

/**
 * Returns the answer of a GET, signed with the credentials of another client.
 * @param path such as `/account`, the settings of the account
 * @throws Error with the answer if it is refused
 */
export const readGateway = async ({ config }: STSClient, region: string, path: string): Promise<unknown> => {
  const { AWS_ENDPOINT_URL_API_GATEWAY, AWS_ENDPOINT_URL } = process.env;
  const endpoint = AWS_ENDPOINT_URL_API_GATEWAY ?? AWS_ENDPOINT_URL ?? `https://apigateway.${region}.amazonaws.com`;
  const url = new URL(path, endpoint);
  const signer = new SignatureV4({
    service: 'apigateway',
    region,
    credentials: config.credentials,
    sha256: config.sha256,
  });
  const { headers } = await signer.sign({
    method: 'GET',
    protocol: url.protocol,
    hostname: url.hostname,
    path: url.pathname,
    headers: { host: url.host, accept: 'application/json' },
  });
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  const kind = response.headers.get('x-amzn-errortype')?.replace(/:.*/, '') ?? `${response.status}`;
  throw Object.assign(new Error(text), { name: kind });
};
