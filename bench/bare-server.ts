/** A Fastify handler that runs prepared statements and serialises the service's own answer: no gates, no tenant, no limits. */
import Fastify from "fastify";
import pg from "pg";

type BareStatement = { text: string; values: unknown[] };
/** `more` are sent on the same connection, without waiting for those before. */
type Task = BareStatement & { url: string; body: string; more?: BareStatement[] };

/** A task with statements runs them, and serialises as much as the service does. A task without statements sends the bytes. */
const task = JSON.parse(process.env.TASK ?? "{}") as Task;
const pool = new pg.Pool({
  connectionString: task.url,
  max: 10,
  options: "-c search_path=app -c timezone=UTC",
  pipeline: true,
} as pg.PoolConfig);
const answer: unknown = JSON.parse(task.body);
const app = Fastify();
app.get("/bytes", async (_request, reply) => reply.type("application/json; charset=utf-8").send(task.body));
const readAll = async (statements: BareStatement[]): Promise<void> => {
  const client = await pool.connect();
  try {
    await Promise.all(statements.map(({ text, values }, index) => client.query({ name: `bare ${index}`, text, values })));
  } finally {
    client.release();
  }
};
app.get("/queries", async (_request, reply) => {
  await readAll([task, ...(task.more ?? [])]);
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(answer));
});
app.get("/query", async (_request, reply) => {
  const { rows } = await pool.query({ name: "bare", text: task.text, values: task.values });
  if (rows.length === 0) throw new Error("The bare statement found nothing");
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(answer));
});
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
process.stdout.write("Server listening at last\n");
