/** Keys of customers: tokens that name a key, and an authentication that takes their word, since signing 100,000 of them is not what is simulated. */
import * as jose from 'jose';
import type { Environment, Modules } from './environment.ts';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns a token that names a key. */
export const tokenOf = (key: string): string =>
  `${part({ alg: 'HS256', typ: 'JWT', kid: key })}.${part({ aud: '/admin/' })}.`;

/** Returns the module of tokens for an environment: none of them is forged, and all of them are fresh. */
export const tokenModules = ({ world }: Environment): Modules => ({
  jose: { ...jose, jwtVerify: async () => ({ payload: { aud: '/admin/', iat: Math.floor(world.now / 1000) } }) },
});
