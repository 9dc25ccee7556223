-- What is known of the absences that the query of a session asks for. `continued`: what the session before it of the
-- same camera knew was taken over.
alter table live_analyses add column absences json not null default '{"continued":false,"states":[]}'::json;
