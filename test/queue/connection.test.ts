/** Addresses of queues, as people write them. */
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from '../../src/queue/connection.ts';
import { findRedis, NO_REDIS, startRedis } from '../helpers/redis.ts';

if (findRedis() === null) console.warn(NO_REDIS);

describe.skipIf(findRedis() === null)('the database of a queue', () => {
  let server: Awaited<ReturnType<typeof startRedis>>;

  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  it.each([
    ['', 0],
    ['/', 0],
    ['/0', 0],
    ['/3', 3],
  ])('is the one that the address ends with: %j', async (path, number) => {
    const redis = await connect(server.url + path);
    expect(await redis.client('INFO')).toContain(` db=${number} `);
    redis.disconnect();
  });

  it.each([
    ['/abc', 'UserError', /^--queue redis:\/\/\S+\/abc names no database: what follows the port/],
    ['/1/2', 'UserError', /names no database/],
    ['/-1', 'UserError', /names no database/],
    ['/99', 'PrerequisiteError', /\/99 does not give database 99: ERR DB index is out of range$/],
  ])('is refused when there is no such one: %s', async (path, name, words) => {
    const refused = connect(server.url + path);
    await expect(refused).rejects.toMatchObject({ name, message: expect.stringMatching(words) });
  });
});

describe.skipIf(findRedis() === null)('a server that hangs', () => {
  const patience = { connectMs: 300, silentMs: 200 };

  it('is not waited for without end', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready));
    const { port } = silent.address() as AddressInfo;
    await expect(connect(`redis://127.0.0.1:${port}`, patience)).rejects.toMatchObject({
      name: 'PrerequisiteError',
      message: `the queue redis://127.0.0.1:${port} cannot be reached: no answer within 0.3 s`,
    });
    silent.close();
  });

  it('is away until it answers again', async () => {
    await using server = await startRedis();
    const redis = await connect(server.url, patience);
    await redis.set('a', '1');
    await redis.call('CLIENT', 'PAUSE', '2000', 'ALL');
    const asked = redis.get('a');
    await expect.poll(() => redis.status, { timeout: 1500 }).not.toBe('ready');
    expect(await asked).toBe('1');
    expect(redis.status).toBe('ready');
    redis.disconnect();
  });
});
