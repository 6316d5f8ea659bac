import { Webhook } from 'standardwebhooks';
import { mintWebhookSecret, signatureOf } from '../../../src/tenancy/webhooks/webhook-secret';

/** The example of the specification of Standard Webhooks. */
const example = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };

test('the example of the specification has its signature', () => {
  expect(signatureOf(example, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'])).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  );
});

test('the library of others accepts a message with either of two secrets, and no other', () => {
  const secrets = [mintWebhookSecret(), mintWebhookSecret()];
  const message = { ...example, timestamp: Math.floor(Date.now() / 1000) };
  const headers = {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': signatureOf(message, secrets),
  };
  for (const secret of secrets) expect(new Webhook(secret).verify(message.body, headers)).toEqual({ test: 2432232314 });
  expect(() => new Webhook(mintWebhookSecret()).verify(message.body, headers)).toThrow();
});
