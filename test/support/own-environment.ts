/** Tests get no account, stage or key of whoever runs them: the SDK prefers AWS_PROFILE to the keys of a test. */
for (const name of Object.keys(process.env))
  if (/^(AWS|MASTHEAD)_/.test(name) && name !== 'MASTHEAD_IAM_READING') delete process.env[name];
