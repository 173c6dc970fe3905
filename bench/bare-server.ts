/** A Fastify handler that runs one prepared statement and serialises the service's own answer: no gates, no tenant, no limits. */
import Fastify from "fastify";
import pg from "pg";

type Task = { url: string; text: string; values: unknown[]; body: string };

/** With a statement: run it, and serialise as much as the service does. Without: send the bytes. */
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
app.get("/query", async (_request, reply) => {
  const { rows } = await pool.query({ name: "bare", text: task.text, values: task.values });
  if (rows.length === 0) throw new Error("The bare statement found nothing");
  return reply.type("application/json; charset=utf-8").send(JSON.stringify(answer));
});
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
process.stdout.write("Server listening at last\n");
