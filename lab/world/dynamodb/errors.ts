/** Creates errors as the AWS SDK throws them. */

/** Returns a service's error; `more` are its own members. It has no stack, which would cost more than the request. */
export const awsError = (name: string, message: string, status = 400, more: object = {}): Error => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(message);
  Error.stackTraceLimit = stackTraceLimit;
  const $fault = status < 500 ? 'client' : 'server';
  return Object.assign(error, { name, $fault, ...more, $metadata: { httpStatusCode: status } });
};

/** Returns the error of an invalid request. */
export const invalid = (message: string): Error => awsError('ValidationException', message);
