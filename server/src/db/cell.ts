import { builder, type Db, oneRow } from "./query.ts";

/** The number of the cell, and the key that signs its cursors. Written when the database is created. */
export const readCell = (db: Db) => oneRow(db.query(builder.selectFrom("cell").select(["number", "cursor_key"])));
