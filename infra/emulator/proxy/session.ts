/** The secret of one start: only calls signed with a session token that begins with it are carried out. */
import { type Step, unknownCaller } from './call.ts';

/** The access key of the operator's commands, which no policy limits. */
export const operator = 'operator';

/** Returns the step that refuses calls without the secret, as AWS refuses an unknown token. */
export const requireSecret =
  (secret: string): Step =>
  async (call, next) =>
    call.environment?.startsWith(secret) ? next(call) : unknownCaller(call);

/** Returns the step that applies to the calls of all access keys except one. */
export const exceptFor =
  (accessKey: string, step: Step): Step =>
  (call, next) =>
    call.caller === accessKey ? next(call) : step(call, next);
