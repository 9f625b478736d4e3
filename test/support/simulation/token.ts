/** Keys of customers: tokens that name a key, and an authentication without signatures, because signing 100,000 tokens is not simulated. */
import * as jose from 'jose';
import type { Environment, Modules } from './environment.ts';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns a token that names a key. */
export const tokenOf = (key: string): string =>
  `${part({ alg: 'HS256', typ: 'JWT', kid: key })}.${part({ aud: '/admin/' })}.`;

/** Returns the module of tokens for an environment: every token is valid and fresh. */
export const tokenModules = ({ world }: Environment): Modules => ({
  jose: { ...jose, jwtVerify: async () => ({ payload: { aud: '/admin/', iat: Math.floor(world.now / 1000) } }) },
});
