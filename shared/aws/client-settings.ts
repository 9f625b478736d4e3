/** How long each AWS client waits for an answer, and how often it tries. */

/**
 * DynamoDB and SQS answer within milliseconds; a request without an answer after 2.5 s is lost. Three attempts, with the SDK's waits between
 * them, end within 8 s: before the 10 s of an endpoint, which then answers 503, and before the 30 s of a worker, which has
 * posted for 10 s at most and can still record the result.
 */
const answerMs = 2500;

/** Settings of the DynamoDB and SQS clients. Errors that the table and the queues report as temporary are retried by the SDK. */
export const clientSettings = {
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 1000,
    requestTimeout: answerMs,
    // Without it the SDK only logs a warning.
    throwOnRequestTimeout: true,
    // The request's timeout ends with the head of the answer, this one counts while its body is read.
    socketTimeout: answerMs,
  },
};
