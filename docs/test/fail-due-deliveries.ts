/** Marks due deliveries as failed, as after nine hours without an answer, so that they can be replayed. */
import pg from "pg";

const owner = new pg.Client({ connectionString: process.env.OWNER_DATABASE_URL, options: "-c search_path=app" });
await owner.connect();
await owner.query("update deliveries set state = 'failed', due_at = null, last_failure = 'timeout' where state = 'ready'");
await owner.end();
