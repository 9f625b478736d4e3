/** Reads API Gateway's settings of the account: the one call that would need an SDK client of its own. */
import type { STSClient } from '@aws-sdk/client-sts';
import { SignatureV4 } from '@smithy/signature-v4';

/** Returns the answer of `GET /account`, signed with the credentials of another client. @throws Error with the answer if it is refused */
export const readGatewayAccount = async ({ config }: STSClient, region: string): Promise<unknown> => {
  const { AWS_ENDPOINT_URL_API_GATEWAY, AWS_ENDPOINT_URL } = process.env;
  const endpoint = AWS_ENDPOINT_URL_API_GATEWAY ?? AWS_ENDPOINT_URL ?? `https://apigateway.${region}.amazonaws.com`;
  const url = new URL('/account', endpoint);
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
