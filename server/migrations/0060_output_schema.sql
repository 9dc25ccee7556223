-- Fields that a query requests for its events or its video, as a checked schema. Null: none.
alter table analyses add column output_schema jsonb;
