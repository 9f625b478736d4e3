/** The bytes of the log lines that AWS itself writes, by examples in the formats of the stage's functions and API. */

/** Lambda writes two lines for an invocation in the JSON format at the default system log level (AWS: "Setting the system log level"). */
const platformLines = [
  {
    time: '2026-11-22T09:00:00.000Z',
    type: 'platform.start',
    record: { requestId: '8286a188-ba32-4475-8077-530cd35c09a9', version: '42' },
  },
  {
    time: '2026-11-22T09:00:00.077Z',
    type: 'platform.report',
    record: {
      requestId: '8286a188-ba32-4475-8077-530cd35c09a9',
      metrics: { durationMs: 76.543, billedDurationMs: 77, memorySizeMB: 512, maxMemoryUsedMB: 129 },
      status: 'success',
    },
  },
];

/** The line of API Gateway for a request (infra/cdk/constructs/api.ts). */
const accessLine = {
  time: '22/Nov/2026:09:00:00 +0000',
  request_id: '8286a188-ba32-4475-8077-530cd35c09a9',
  method: 'POST',
  resource: '/ghost/api/admin/events',
  status: '202',
  duration_ms: '31',
  function_ms: '27',
  function_status: '202',
  bytes: '117',
  source_ip: '192.0.2.1',
  user_agent: 'GhostAdminSDK/1.14.13',
  gateway_error: '-',
};

const bytesOf = (line: object): number => Buffer.byteLength(JSON.stringify(line)) + 1;

/** For an invocation. */
export const platformLogBytes: number = platformLines.reduce((sum, line) => sum + bytesOf(line), 0);

/** For a request to the API. */
export const accessLogBytes: number = bytesOf(accessLine);
