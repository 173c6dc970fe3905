/** What nine hours without an answer do to a delivery: it has failed, and can be sent again. */
import pg from "pg";

const owner = new pg.Client({ connectionString: process.env.OWNER_DATABASE_URL, options: "-c search_path=app" });
await owner.connect();
await owner.query("update deliveries set state = 'failed', due_at = null, last_failure = 'timeout' where state = 'ready'");
await owner.end();
