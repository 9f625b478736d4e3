/** The bytes of the access log line that API Gateway writes, by an example in the API's log format. */

/** API Gateway's line for a request (infra/cdk/constructs/api.ts). */
const accessLine = {
  request_id: '8286a188-ba32-4475-8077-530cd35c09a9',
  method: 'POST',
  resource: '/ghost/api/admin/events',
  status: '202',
  duration_ms: '31',
  bytes: '117',
  source_ip: '192.0.2.1',
  user_agent: 'GhostAdminSDK/1.14.13',
  gateway_error: '-',
};

/** For a request to the API. Lambda itself writes no line for an invocation that succeeds (docs/adr/0018-lambda-logs-only-failed-invocations.md). */
export const accessLogBytes: number = Buffer.byteLength(JSON.stringify(accessLine)) + 1;
