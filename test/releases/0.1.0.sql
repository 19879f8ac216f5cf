CREATE SCHEMA pgmq;

CREATE TYPE pgmq.message_record AS (
	msg_id bigint,
	read_ct integer,
	enqueued_at timestamp with time zone,
	last_read_at timestamp with time zone,
	vt timestamp with time zone,
	message jsonb,
	headers jsonb
);

CREATE TYPE pgmq.metrics_result AS (
	queue_name text,
	queue_length bigint,
	newest_msg_age_sec integer,
	oldest_msg_age_sec integer,
	total_messages bigint,
	scrape_time timestamp with time zone,
	queue_visible_length bigint
);

CREATE TYPE pgmq.queue_record AS (
	queue_name character varying,
	is_partitioned boolean,
	is_unlogged boolean,
	created_at timestamp with time zone
);

CREATE TYPE public.caller AS (
	account_id bigint,
	subscription_id bigint,
	status text,
	plan text,
	page_limit integer,
	window_seconds integer,
	request_units integer,
	weekly_request_units integer,
	delivered_units integer,
	weekly_delivered_units integer,
	entitled boolean,
	period_start timestamp with time zone,
	period_end timestamp with time zone,
	window_start timestamp with time zone,
	window_end timestamp with time zone,
	week_start timestamp with time zone,
	week_end timestamp with time zone
);

CREATE FUNCTION pgmq._belongs_to_pgmq(table_name text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
    sql TEXT;
    result BOOLEAN;
BEGIN
  SELECT EXISTS (
    SELECT 1
    FROM pg_depend
    WHERE refobjid = (SELECT oid FROM pg_extension WHERE extname = 'pgmq')
    AND objid = (
        SELECT oid
        FROM pg_class
        WHERE relname = table_name
    )
  ) INTO result;
  RETURN result;
END;
$$;

CREATE FUNCTION pgmq._create_fifo_index_if_not_exists(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $_$
DECLARE
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
    index_name TEXT := qtable || '_fifo_idx';
BEGIN
    -- Create GIN index on headers for efficient FIFO key lookups
    EXECUTE FORMAT(
        $QUERY$
        CREATE INDEX IF NOT EXISTS %I ON pgmq.%I USING GIN (headers);
        $QUERY$,
        index_name, qtable
    );
END;
$_$;

CREATE FUNCTION pgmq._ensure_pg_partman_installed() RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF NOT pgmq._extension_exists('pg_partman') THEN
    RAISE EXCEPTION 'pg_partman is required for partitioned queues';
  END IF;
END;
$$;

CREATE FUNCTION pgmq._extension_exists(extension_name text) RETURNS boolean
    LANGUAGE sql
    AS $$
SELECT EXISTS (
    SELECT 1
    FROM pg_extension
    WHERE extname = extension_name
)
$$;

CREATE FUNCTION pgmq._get_partition_col(partition_interval text) RETURNS text
    LANGUAGE plpgsql
    AS $$
DECLARE
  num INTEGER;
BEGIN
    BEGIN
        num := partition_interval::INTEGER;
        RETURN 'msg_id';
    EXCEPTION
        WHEN others THEN
            RETURN 'enqueued_at';
    END;
END;
$$;

CREATE FUNCTION pgmq._get_pg_partman_major_version() RETURNS integer
    LANGUAGE sql
    AS $$
  SELECT split_part(extversion, '.', 1)::INT
  FROM pg_extension
  WHERE extname = 'pg_partman'
$$;

CREATE FUNCTION pgmq._get_pg_partman_schema() RETURNS text
    LANGUAGE sql
    AS $$
  SELECT
    extnamespace::regnamespace::text
  FROM
    pg_extension
  WHERE
    extname = 'pg_partman';
$$;

CREATE FUNCTION pgmq._send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamp with time zone) RETURNS SETOF bigint
    LANGUAGE plpgsql
    AS $_$
DECLARE
    sql TEXT;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
BEGIN
    sql := FORMAT(
            $QUERY$
        INSERT INTO pgmq.%I (vt, message, headers)
        SELECT $2, unnest($1), unnest(coalesce($3, ARRAY[]::jsonb[]))
        RETURNING msg_id;
        $QUERY$,
            qtable
           );
    RETURN QUERY EXECUTE sql USING msgs, delay, headers;
END;
$_$;

CREATE FUNCTION pgmq._validate_batch_params(msgs jsonb[], headers jsonb[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    -- Validate that msgs is not NULL or empty
    IF msgs IS NULL OR array_length(msgs, 1) IS NULL THEN
        RAISE EXCEPTION 'msgs cannot be NULL or empty';
    END IF;

    -- Validate that headers array length matches msgs array length if headers is provided
    -- Note: array_length returns NULL for empty arrays, so we use COALESCE to treat empty arrays as length 0
    IF headers IS NOT NULL AND COALESCE(array_length(headers, 1), 0) != COALESCE(array_length(msgs, 1), 0) THEN
        RAISE EXCEPTION 'headers array length (%) must match msgs array length (%)',
            COALESCE(array_length(headers, 1), 0), COALESCE(array_length(msgs, 1), 0);
    END IF;
END;
$$;

CREATE FUNCTION pgmq.acquire_queue_lock(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('pgmq.queue_' || queue_name));
END;
$$;

CREATE FUNCTION pgmq.archive(queue_name text, msg_ids bigint[]) RETURNS SETOF bigint
    LANGUAGE plpgsql
    AS $_$
DECLARE
    sql TEXT;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
    atable TEXT := pgmq.format_table_name(queue_name, 'a');
BEGIN
    sql := FORMAT(
        $QUERY$
        WITH archived AS (
            DELETE FROM pgmq.%I
            WHERE msg_id = ANY($1)
            RETURNING msg_id, vt, read_ct, enqueued_at, last_read_at, message, headers
        )
        INSERT INTO pgmq.%I (msg_id, vt, read_ct, enqueued_at, last_read_at, message, headers)
        SELECT msg_id, vt, read_ct, enqueued_at, last_read_at, message, headers
        FROM archived
        RETURNING msg_id;
        $QUERY$,
        qtable, atable
    );
    RETURN QUERY EXECUTE sql USING msg_ids;
END;
$_$;

CREATE FUNCTION pgmq.archive(queue_name text, msg_id bigint) RETURNS boolean
    LANGUAGE plpgsql
    AS $_$
DECLARE
    sql TEXT;
    result BIGINT;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
    atable TEXT := pgmq.format_table_name(queue_name, 'a');
BEGIN
    sql := FORMAT(
        $QUERY$
        WITH archived AS (
            DELETE FROM pgmq.%I
            WHERE msg_id = $1
            RETURNING msg_id, vt, read_ct, enqueued_at, last_read_at, message, headers
        )
        INSERT INTO pgmq.%I (msg_id, vt, read_ct, enqueued_at, last_read_at, message, headers)
        SELECT msg_id, vt, read_ct, enqueued_at, last_read_at, message, headers
        FROM archived
        RETURNING msg_id;
        $QUERY$,
        qtable, atable
    );
    EXECUTE sql USING msg_id INTO result;
    RETURN NOT (result IS NULL);
END;
$_$;

CREATE FUNCTION pgmq.bind_topic(pattern text, queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pgmq.validate_topic_pattern(pattern);
    IF queue_name IS NULL OR queue_name = '' THEN
        RAISE EXCEPTION 'queue_name cannot be NULL or empty';
    END IF;

    IF NOT EXISTS (SELECT 1 FROM pgmq.meta WHERE meta.queue_name = bind_topic.queue_name) THEN
        RAISE EXCEPTION 'Queue "%" does not exist. Create the queue first using pgmq.create()', queue_name;
    END IF;

    INSERT INTO pgmq.topic_bindings (pattern, queue_name)
    VALUES (pattern, queue_name)
    ON CONFLICT ON CONSTRAINT topic_bindings_unique_pattern_queue DO NOTHING;
END;
$$;

CREATE FUNCTION pgmq.convert_archive_partitioned(table_name text, partition_interval text DEFAULT '10000'::text, retention_interval text DEFAULT '100000'::text, leading_partition integer DEFAULT 10) RETURNS void
    LANGUAGE plpgsql
    AS $_$
DECLARE
  a_table_name TEXT := pgmq.format_table_name(table_name, 'a');
  a_table_name_old TEXT := pgmq.format_table_name(table_name, 'a') || '_old';
  qualified_a_table_name TEXT := format('pgmq.%I', a_table_name);
  partition_col TEXT;
  a_partition_col TEXT;
BEGIN

  PERFORM c.relkind
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relname = a_table_name
    AND c.relkind = 'p';

  IF FOUND THEN
    RAISE NOTICE 'Table %s is already partitioned', a_table_name;
    RETURN;
  END IF;

  PERFORM c.relkind
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.relname = a_table_name
    AND c.relkind = 'r';

  IF NOT FOUND THEN
    RAISE NOTICE 'Table %s does not exists', a_table_name;
    RETURN;
  END IF;

  SELECT pgmq._get_partition_col(partition_interval) INTO partition_col;

  -- For archive tables, use archived_at for time-based partitioning
  IF partition_col = 'enqueued_at' THEN
    a_partition_col := 'archived_at';
  ELSE
    a_partition_col := partition_col;
  END IF;

  EXECUTE 'ALTER TABLE ' || qualified_a_table_name || ' RENAME TO ' || a_table_name_old;

  -- When partitioning by time (archived_at), we need to exclude constraints and indexes
  -- because the existing PRIMARY KEY on msg_id alone is incompatible with partitioning by archived_at.
  -- When partitioning by msg_id, we can keep all constraints including PRIMARY KEY.
  IF a_partition_col = 'archived_at' THEN
    EXECUTE format( 'CREATE TABLE pgmq.%I (LIKE pgmq.%I including defaults including generated including storage including comments) PARTITION BY RANGE (%I)', a_table_name, a_table_name_old, a_partition_col );
  ELSE
    EXECUTE format( 'CREATE TABLE pgmq.%I (LIKE pgmq.%I including all) PARTITION BY RANGE (%I)', a_table_name, a_table_name_old, a_partition_col );
  END IF;

  EXECUTE 'ALTER INDEX pgmq.archived_at_idx_' || table_name || ' RENAME TO archived_at_idx_' || table_name || '_old';
  EXECUTE 'CREATE INDEX archived_at_idx_'|| table_name || ' ON ' || qualified_a_table_name ||'(archived_at)';

  -- https://github.com/pgpartman/pg_partman/blob/master/doc/pg_partman.md
  -- p_parent_table - the existing parent table. MUST be schema qualified, even if in public schema.
  EXECUTE FORMAT(
    $QUERY$
    SELECT %I.create_parent(
      p_parent_table := %L,
      p_control := %L,
      p_interval := %L,
      p_type := case
        when pgmq._get_pg_partman_major_version() = 5 then 'range'
        else 'native'
      end
    )
    $QUERY$,
    pgmq._get_pg_partman_schema(),
    qualified_a_table_name,
    a_partition_col,
    partition_interval
  );

  EXECUTE FORMAT(
    $QUERY$
    UPDATE %I.part_config
    SET
      retention = %L,
      retention_keep_table = false,
      retention_keep_index = false,
      infinite_time_partitions = true
    WHERE
      parent_table = %L;
    $QUERY$,
    pgmq._get_pg_partman_schema(),
    retention_interval,
    qualified_a_table_name
  );
END;
$_$;

CREATE FUNCTION pgmq."create"(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pgmq.create_non_partitioned(queue_name);
END;
$$;

CREATE FUNCTION pgmq.create_fifo_index(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pgmq._create_fifo_index_if_not_exists(queue_name);
END;
$$;

CREATE FUNCTION pgmq.create_fifo_indexes_all() RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    queue_record RECORD;
BEGIN
    FOR queue_record IN SELECT queue_name FROM pgmq.meta LOOP
        PERFORM pgmq.create_fifo_index(queue_record.queue_name);
    END LOOP;
END;
$$;

CREATE FUNCTION pgmq.create_non_partitioned(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $_$
DECLARE
  qtable TEXT := pgmq.format_table_name(queue_name, 'q');
  qtable_seq TEXT := qtable || '_msg_id_seq';
  atable TEXT := pgmq.format_table_name(queue_name, 'a');
BEGIN
  PERFORM pgmq.validate_queue_name(queue_name);
  PERFORM pgmq.acquire_queue_lock(queue_name);

  EXECUTE FORMAT(
    $QUERY$
    CREATE TABLE IF NOT EXISTS pgmq.%I (
        msg_id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        read_ct INT DEFAULT 0 NOT NULL,
        enqueued_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
        last_read_at TIMESTAMP WITH TIME ZONE,
        vt TIMESTAMP WITH TIME ZONE NOT NULL,
        message JSONB,
        headers JSONB
    )
    $QUERY$,
    qtable
  );

  EXECUTE FORMAT(
    $QUERY$
    CREATE TABLE IF NOT EXISTS pgmq.%I (
      msg_id BIGINT PRIMARY KEY,
      read_ct INT DEFAULT 0 NOT NULL,
      enqueued_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
      last_read_at TIMESTAMP WITH TIME ZONE,
      archived_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
      vt TIMESTAMP WITH TIME ZONE NOT NULL,
      message JSONB,
      headers JSONB
    );
    $QUERY$,
    atable
  );

  EXECUTE FORMAT(
    $QUERY$
    CREATE INDEX IF NOT EXISTS %I ON pgmq.%I (vt ASC);
    $QUERY$,
    qtable || '_vt_idx', qtable
  );

  EXECUTE FORMAT(
    $QUERY$
    CREATE INDEX IF NOT EXISTS %I ON pgmq.%I (archived_at);
    $QUERY$,
    'archived_at_idx_' || queue_name, atable
  );

  EXECUTE FORMAT(
    $QUERY$
    INSERT INTO pgmq.meta (queue_name, is_partitioned, is_unlogged)
    VALUES (%L, false, false)
    ON CONFLICT
    DO NOTHING;
    $QUERY$,
    queue_name
  );

END;
$_$;

CREATE FUNCTION pgmq.create_partitioned(queue_name text, partition_interval text DEFAULT '10000'::text, retention_interval text DEFAULT '100000'::text) RETURNS void
    LANGUAGE plpgsql
    AS $_$
DECLARE
  partition_col TEXT;
  a_partition_col TEXT;
  qtable TEXT := pgmq.format_table_name(queue_name, 'q');
  qtable_seq TEXT := qtable || '_msg_id_seq';
  atable TEXT := pgmq.format_table_name(queue_name, 'a');
  fq_qtable TEXT := 'pgmq.' || qtable;
  fq_atable TEXT := 'pgmq.' || atable;
BEGIN
  PERFORM pgmq.validate_queue_name(queue_name);
  PERFORM pgmq.acquire_queue_lock(queue_name);
  PERFORM pgmq._ensure_pg_partman_installed();
  SELECT pgmq._get_partition_col(partition_interval) INTO partition_col;

  EXECUTE FORMAT(
    $QUERY$
    CREATE TABLE IF NOT EXISTS pgmq.%I (
        msg_id BIGINT GENERATED ALWAYS AS IDENTITY,
        read_ct INT DEFAULT 0 NOT NULL,
        enqueued_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
        last_read_at TIMESTAMP WITH TIME ZONE,
        vt TIMESTAMP WITH TIME ZONE NOT NULL,
        message JSONB,
        headers JSONB
    ) PARTITION BY RANGE (%I)
    $QUERY$,
    qtable, partition_col
  );

  -- https://github.com/pgpartman/pg_partman/blob/master/doc/pg_partman.md
  -- p_parent_table - the existing parent table. MUST be schema qualified, even if in public schema.
  EXECUTE FORMAT(
    $QUERY$
    SELECT %I.create_parent(
      p_parent_table := %L,
      p_control := %L,
      p_interval := %L,
      p_type := case
        when pgmq._get_pg_partman_major_version() = 5 then 'range'
        else 'native'
      end
    )
    $QUERY$,
    pgmq._get_pg_partman_schema(),
    fq_qtable,
    partition_col,
    partition_interval
  );

  EXECUTE FORMAT(
    $QUERY$
    CREATE INDEX IF NOT EXISTS %I ON pgmq.%I (%I);
    $QUERY$,
    qtable || '_part_idx', qtable, partition_col
  );

  EXECUTE FORMAT(
    $QUERY$
    UPDATE %I.part_config
    SET
        retention = %L,
        retention_keep_table = false,
        retention_keep_index = true,
        automatic_maintenance = 'on'
    WHERE parent_table = %L;
    $QUERY$,
    pgmq._get_pg_partman_schema(),
    retention_interval,
    'pgmq.' || qtable
  );

  EXECUTE FORMAT(
    $QUERY$
    INSERT INTO pgmq.meta (queue_name, is_partitioned, is_unlogged)
    VALUES (%L, true, false)
    ON CONFLICT
    DO NOTHING;
    $QUERY$,
    queue_name
  );

  IF partition_col = 'enqueued_at' THEN
    a_partition_col := 'archived_at';
  ELSE
    a_partition_col := partition_col;
  END IF;

  EXECUTE FORMAT(
    $QUERY$
    CREATE TABLE IF NOT EXISTS pgmq.%I (
      msg_id BIGINT NOT NULL,
      read_ct INT DEFAULT 0 NOT NULL,
      enqueued_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
      last_read_at TIMESTAMP WITH TIME ZONE,
      archived_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
      vt TIMESTAMP WITH TIME ZONE NOT NULL,
      message JSONB,
      headers JSONB
    ) PARTITION BY RANGE (%I);
    $QUERY$,
    atable, a_partition_col
  );

  -- https://github.com/pgpartman/pg_partman/blob/master/doc/pg_partman.md
  -- p_parent_table - the existing parent table. MUST be schema qualified, even if in public schema.
  EXECUTE FORMAT(
    $QUERY$
    SELECT %I.create_parent(
      p_parent_table := %L,
      p_control := %L,
      p_interval := %L,
      p_type := case
        when pgmq._get_pg_partman_major_version() = 5 then 'range'
        else 'native'
      end
    )
    $QUERY$,
    pgmq._get_pg_partman_schema(),
    fq_atable,
    a_partition_col,
    partition_interval
  );

  EXECUTE FORMAT(
    $QUERY$
    UPDATE %I.part_config
    SET
        retention = %L,
        retention_keep_table = false,
        retention_keep_index = true,
        automatic_maintenance = 'on'
    WHERE parent_table = %L;
    $QUERY$,
    pgmq._get_pg_partman_schema(),
    retention_interval,
    'pgmq.' || atable
  );

  EXECUTE FORMAT(
    $QUERY$
    CREATE INDEX IF NOT EXISTS %I ON pgmq.%I (archived_at);
    $QUERY$,
    'archived_at_idx_' || queue_name, atable
  );

END;
$_$;

CREATE FUNCTION pgmq.create_unlogged(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $_$
DECLARE
  qtable TEXT := pgmq.format_table_name(queue_name, 'q');
  qtable_seq TEXT := qtable || '_msg_id_seq';
  atable TEXT := pgmq.format_table_name(queue_name, 'a');
BEGIN
  PERFORM pgmq.validate_queue_name(queue_name);
  PERFORM pgmq.acquire_queue_lock(queue_name);

  EXECUTE FORMAT(
    $QUERY$
    CREATE UNLOGGED TABLE IF NOT EXISTS pgmq.%I (
        msg_id BIGINT PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
        read_ct INT DEFAULT 0 NOT NULL,
        enqueued_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
        last_read_at TIMESTAMP WITH TIME ZONE,
        vt TIMESTAMP WITH TIME ZONE NOT NULL,
        message JSONB,
        headers JSONB
    )
    $QUERY$,
    qtable
  );

  EXECUTE FORMAT(
    $QUERY$
    CREATE TABLE IF NOT EXISTS pgmq.%I (
      msg_id BIGINT PRIMARY KEY,
      read_ct INT DEFAULT 0 NOT NULL,
      enqueued_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
      last_read_at TIMESTAMP WITH TIME ZONE,
      archived_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL,
      vt TIMESTAMP WITH TIME ZONE NOT NULL,
      message JSONB,
      headers JSONB
    );
    $QUERY$,
    atable
  );

  EXECUTE FORMAT(
    $QUERY$
    CREATE INDEX IF NOT EXISTS %I ON pgmq.%I (vt ASC);
    $QUERY$,
    qtable || '_vt_idx', qtable
  );

  EXECUTE FORMAT(
    $QUERY$
    CREATE INDEX IF NOT EXISTS %I ON pgmq.%I (archived_at);
    $QUERY$,
    'archived_at_idx_' || queue_name, atable
  );

  EXECUTE FORMAT(
    $QUERY$
    INSERT INTO pgmq.meta (queue_name, is_partitioned, is_unlogged)
    VALUES (%L, false, true)
    ON CONFLICT
    DO NOTHING;
    $QUERY$,
    queue_name
  );
END;
$_$;

CREATE FUNCTION pgmq.delete(queue_name text, msg_ids bigint[]) RETURNS SETOF bigint
    LANGUAGE plpgsql
    AS $_$
DECLARE
    sql TEXT;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
BEGIN
    sql := FORMAT(
        $QUERY$
        DELETE FROM pgmq.%I
        WHERE msg_id = ANY($1)
        RETURNING msg_id
        $QUERY$,
        qtable
    );
    RETURN QUERY EXECUTE sql USING msg_ids;
END;
$_$;

CREATE FUNCTION pgmq.delete(queue_name text, msg_id bigint) RETURNS boolean
    LANGUAGE plpgsql
    AS $_$
DECLARE
    sql TEXT;
    result BIGINT;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
BEGIN
    sql := FORMAT(
        $QUERY$
        DELETE FROM pgmq.%I
        WHERE msg_id = $1
        RETURNING msg_id
        $QUERY$,
        qtable
    );
    EXECUTE sql USING msg_id INTO result;
    RETURN NOT (result IS NULL);
END;
$_$;

CREATE FUNCTION pgmq.detach_archive(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  atable TEXT := pgmq.format_table_name(queue_name, 'a');
BEGIN
  RAISE WARNING 'detach_archive(queue_name) is deprecated and is a no-op. It will be removed in PGMQ v2.0. Archive tables are no longer member objects.';
END
$$;

CREATE FUNCTION pgmq.disable_notify_insert(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $_$
DECLARE
  qtable TEXT := pgmq.format_table_name(queue_name, 'q');
  v_queue_name TEXT := queue_name;
BEGIN
  EXECUTE FORMAT(
    $QUERY$
    DROP TRIGGER IF EXISTS trigger_notify_queue_insert_listeners ON pgmq.%I;
    $QUERY$,
    qtable
  );

  DELETE FROM pgmq.notify_insert_throttle nit WHERE nit.queue_name = v_queue_name;
END;
$_$;

CREATE FUNCTION pgmq.drop_queue(queue_name text) RETURNS boolean
    LANGUAGE plpgsql
    AS $_$
DECLARE
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
    qtable_seq TEXT := qtable || '_msg_id_seq';
    fq_qtable TEXT := 'pgmq.' || qtable;
    atable TEXT := pgmq.format_table_name(queue_name, 'a');
    fq_atable TEXT := 'pgmq.' || atable;
    partitioned BOOLEAN;
BEGIN
    PERFORM pgmq.acquire_queue_lock(queue_name);
    EXECUTE FORMAT(
        $QUERY$
        SELECT is_partitioned FROM pgmq.meta WHERE queue_name = %L
        $QUERY$,
        queue_name
    ) INTO partitioned;

    -- check if the queue exists
    IF NOT EXISTS (
        SELECT 1
        FROM information_schema.tables
        WHERE table_name = qtable and table_schema = 'pgmq'
    ) THEN
        RAISE NOTICE 'pgmq queue `%` does not exist', queue_name;
        RETURN FALSE;
    END IF;

    EXECUTE FORMAT(
        $QUERY$
        DROP TABLE IF EXISTS pgmq.%I
        $QUERY$,
        qtable
    );

    EXECUTE FORMAT(
        $QUERY$
        DROP TABLE IF EXISTS pgmq.%I
        $QUERY$,
        atable
    );

     IF EXISTS (
          SELECT 1
          FROM information_schema.tables
          WHERE table_name = 'meta' and table_schema = 'pgmq'
     ) THEN
        EXECUTE FORMAT(
            $QUERY$
            DELETE FROM pgmq.meta WHERE queue_name = %L
            $QUERY$,
            queue_name
        );
     END IF;

     IF partitioned THEN
        EXECUTE FORMAT(
          $QUERY$
          DELETE FROM %I.part_config where parent_table in (%L, %L)
          $QUERY$,
          pgmq._get_pg_partman_schema(), fq_qtable, fq_atable
        );
     END IF;

    RETURN TRUE;
END;
$_$;

CREATE FUNCTION pgmq.drop_queue(queue_name text, partitioned boolean) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
    fq_qtable TEXT := 'pgmq.' || qtable;
    atable TEXT := pgmq.format_table_name(queue_name, 'a');
    fq_atable TEXT := 'pgmq.' || atable;
BEGIN
    RAISE WARNING 'drop_queue(queue_name, partitioned) is deprecated and will be removed in PGMQ v2.0. Use drop_queue(queue_name) instead';

    PERFORM pgmq.drop_queue(queue_name);

    RETURN TRUE;
END;
$$;

CREATE FUNCTION pgmq.enable_notify_insert(queue_name text, throttle_interval_ms integer DEFAULT 250) RETURNS void
    LANGUAGE plpgsql
    AS $_$
DECLARE
  qtable TEXT := pgmq.format_table_name(queue_name, 'q');
  v_queue_name TEXT := queue_name;
  v_throttle_interval_ms INTEGER := throttle_interval_ms;
BEGIN
  -- Validate that throttle_interval_ms is non-negative
  IF v_throttle_interval_ms < 0 THEN
    RAISE EXCEPTION 'throttle_interval_ms must be non-negative';
  END IF;

  -- Validate that the queue table exists
  IF NOT EXISTS (SELECT 1 FROM information_schema.tables WHERE table_schema = 'pgmq' AND table_name = qtable) THEN
    RAISE EXCEPTION 'Queue "%" does not exist. Create it first using pgmq.create()', v_queue_name;
  END IF;

  PERFORM pgmq.disable_notify_insert(v_queue_name);

  INSERT INTO pgmq.notify_insert_throttle (queue_name, throttle_interval_ms)
  VALUES (v_queue_name, v_throttle_interval_ms)
  ON CONFLICT ON CONSTRAINT notify_insert_throttle_queue_name_key DO UPDATE
      SET throttle_interval_ms = EXCLUDED.throttle_interval_ms,
          last_notified_at = to_timestamp(0);

  EXECUTE FORMAT(
    $QUERY$
    CREATE CONSTRAINT TRIGGER trigger_notify_queue_insert_listeners
    AFTER INSERT ON pgmq.%I
    DEFERRABLE FOR EACH ROW
    EXECUTE PROCEDURE pgmq.notify_queue_listeners()
    $QUERY$,
    qtable
  );
END;
$_$;

CREATE FUNCTION pgmq.format_table_name(queue_name text, prefix text) RETURNS text
    LANGUAGE plpgsql
    AS $_$
BEGIN
    IF queue_name ~ '\$|;|--|'''
    THEN
        RAISE EXCEPTION 'queue name contains invalid characters: $, ;, --, or \''';
    END IF;
    RETURN lower(prefix || '_' || queue_name);
END;
$_$;

CREATE FUNCTION pgmq.list_notify_insert_throttles() RETURNS TABLE(queue_name text, throttle_interval_ms integer, last_notified_at timestamp with time zone)
    LANGUAGE sql STABLE
    AS $$
    SELECT queue_name, throttle_interval_ms, last_notified_at
    FROM pgmq.notify_insert_throttle
    ORDER BY queue_name;
$$;

CREATE FUNCTION pgmq.list_queues() RETURNS SETOF pgmq.queue_record
    LANGUAGE plpgsql
    AS $$
BEGIN
  RETURN QUERY SELECT * FROM pgmq.meta;
END
$$;

CREATE FUNCTION pgmq.list_topic_bindings() RETURNS TABLE(pattern text, queue_name text, bound_at timestamp with time zone, compiled_regex text)
    LANGUAGE sql STABLE
    AS $$
    SELECT pattern, queue_name, bound_at, compiled_regex
    FROM pgmq.topic_bindings
    ORDER BY bound_at DESC, pattern, queue_name;
$$;

CREATE FUNCTION pgmq.list_topic_bindings(queue_name text) RETURNS TABLE(pattern text, queue_name text, bound_at timestamp with time zone, compiled_regex text)
    LANGUAGE sql STABLE
    AS $$
    SELECT pattern, tb.queue_name, bound_at, compiled_regex
    FROM pgmq.topic_bindings tb
    WHERE tb.queue_name = list_topic_bindings.queue_name
    ORDER BY bound_at DESC, pattern;
$$;

CREATE FUNCTION pgmq.metrics(queue_name text) RETURNS pgmq.metrics_result
    LANGUAGE plpgsql
    AS $_$
DECLARE
    result_row pgmq.metrics_result;
    query TEXT;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
BEGIN
    query := FORMAT(
        $QUERY$
        WITH q_summary AS (
            SELECT
                count(*) as queue_length,
                count(CASE WHEN vt <= NOW() THEN 1 END) as queue_visible_length,
                EXTRACT(epoch FROM (NOW() - max(enqueued_at)))::int as newest_msg_age_sec,
                EXTRACT(epoch FROM (NOW() - min(enqueued_at)))::int as oldest_msg_age_sec,
                NOW() as scrape_time
            FROM pgmq.%I
        ),
        all_metrics AS (
            SELECT CASE
                WHEN is_called THEN last_value ELSE 0
                END as total_messages
            FROM pgmq.%I
        )
        SELECT
            %L as queue_name,
            q_summary.queue_length,
            q_summary.newest_msg_age_sec,
            q_summary.oldest_msg_age_sec,
            all_metrics.total_messages,
            q_summary.scrape_time,
            q_summary.queue_visible_length
        FROM q_summary, all_metrics
        $QUERY$,
        qtable, qtable || '_msg_id_seq', queue_name
    );
    EXECUTE query INTO result_row;
    RETURN result_row;
END;
$_$;

CREATE FUNCTION pgmq.metrics_all() RETURNS SETOF pgmq.metrics_result
    LANGUAGE plpgsql
    AS $$
DECLARE
    row_name RECORD;
    result_row pgmq.metrics_result;
BEGIN
    FOR row_name IN SELECT queue_name FROM pgmq.meta LOOP
        result_row := pgmq.metrics(row_name.queue_name);
        RETURN NEXT result_row;
    END LOOP;
END;
$$;

CREATE FUNCTION pgmq.notify_queue_listeners() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
  queue_name_extracted TEXT; -- Queue name extracted from trigger table name
  updated_count        INTEGER; -- Number of rows updated (0 or 1)
BEGIN
  queue_name_extracted := substring(TG_TABLE_NAME from 3);

  UPDATE pgmq.notify_insert_throttle
  SET last_notified_at = clock_timestamp()
  WHERE queue_name = queue_name_extracted
    AND (
      throttle_interval_ms = 0 -- No throttling configured
          OR clock_timestamp() - last_notified_at >=
             (throttle_interval_ms * INTERVAL '1 millisecond') -- Throttle interval has elapsed
    );

  -- Check how many rows were updated (will be 0 or 1)
  GET DIAGNOSTICS updated_count = ROW_COUNT;

  IF updated_count > 0 THEN
    PERFORM PG_NOTIFY('pgmq.' || TG_TABLE_NAME || '.' || TG_OP, NULL);
  END IF;

RETURN NEW;
END;
$$;

CREATE FUNCTION pgmq.pop(queue_name text, qty integer DEFAULT 1) RETURNS SETOF pgmq.message_record
    LANGUAGE plpgsql
    AS $_$
DECLARE
    sql TEXT;
    result pgmq.message_record;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
BEGIN
    sql := FORMAT(
        $QUERY$
        WITH cte AS
            (
                SELECT msg_id
                FROM pgmq.%I
                WHERE vt <= clock_timestamp()
                ORDER BY msg_id ASC
                LIMIT $1
                FOR UPDATE SKIP LOCKED
            )
        DELETE from pgmq.%I
        WHERE msg_id IN (select msg_id from cte)
        RETURNING msg_id, read_ct, enqueued_at, last_read_at, vt, message, headers;
        $QUERY$,
        qtable, qtable
    );
    RETURN QUERY EXECUTE sql USING qty;
END;
$_$;

CREATE FUNCTION pgmq.purge_queue(queue_name text) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
  deleted_count INTEGER;
  qtable TEXT := pgmq.format_table_name(queue_name, 'q');
BEGIN
  -- Get the row count before truncating
  EXECUTE format('SELECT count(*) FROM pgmq.%I', qtable) INTO deleted_count;

  -- Use TRUNCATE for better performance on large tables
  EXECUTE format('TRUNCATE TABLE pgmq.%I', qtable);

  -- Return the number of purged rows
  RETURN deleted_count;
END
$$;

CREATE FUNCTION pgmq.read(queue_name text, vt integer, qty integer, conditional jsonb DEFAULT '{}'::jsonb) RETURNS SETOF pgmq.message_record
    LANGUAGE plpgsql
    AS $_$
DECLARE
    sql TEXT;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
BEGIN
    sql := FORMAT(
        $QUERY$
        WITH cte AS
        (
            SELECT msg_id
            FROM pgmq.%I
            WHERE vt <= clock_timestamp() AND CASE
                WHEN %L != '{}'::jsonb THEN (message @> %2$L)::integer
                ELSE 1
            END = 1
            ORDER BY msg_id ASC
            LIMIT $1
            FOR UPDATE SKIP LOCKED
        )
        UPDATE pgmq.%I m
        SET
            last_read_at = clock_timestamp(),
            vt = clock_timestamp() + %L,
            read_ct = read_ct + 1
        FROM cte
        WHERE m.msg_id = cte.msg_id
        RETURNING m.msg_id, m.read_ct, m.enqueued_at, m.last_read_at, m.vt, m.message, m.headers;
        $QUERY$,
        qtable, conditional, qtable, make_interval(secs => vt)
    );
    RETURN QUERY EXECUTE sql USING qty;
END;
$_$;

CREATE FUNCTION pgmq.read_grouped(queue_name text, vt integer, qty integer) RETURNS SETOF pgmq.message_record
    LANGUAGE plpgsql
    AS $_$
DECLARE
    sql TEXT;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
BEGIN
    sql := FORMAT(
        $QUERY$
        WITH fifo_groups AS (
            -- Find the minimum msg_id for each FIFO group that's ready to be processed
            SELECT
                COALESCE(headers->>'x-pgmq-group', '_default_fifo_group') as fifo_key,
                MIN(msg_id) as min_msg_id
            FROM pgmq.%I
            WHERE vt <= clock_timestamp()
            GROUP BY COALESCE(headers->>'x-pgmq-group', '_default_fifo_group')
        ),
        locked_groups AS (
            -- Lock the first available message in each FIFO group
            SELECT
                m.msg_id,
                fg.fifo_key
            FROM pgmq.%I m
            INNER JOIN fifo_groups fg ON
                COALESCE(m.headers->>'x-pgmq-group', '_default_fifo_group') = fg.fifo_key
                AND m.msg_id = fg.min_msg_id
            WHERE m.vt <= clock_timestamp()
            ORDER BY m.msg_id ASC
            FOR UPDATE SKIP LOCKED
        ),
        group_priorities AS (
            -- Assign priority to groups based on their oldest message
            SELECT
                fifo_key,
                msg_id as min_msg_id,
                ROW_NUMBER() OVER (ORDER BY msg_id) as group_priority
            FROM locked_groups
        ),
        filtered_groups as (
            SELECT * FROM group_priorities gp
            WHERE NOT EXISTS (
                -- Ensure no earlier message in this group is currently being processed
                SELECT 1
                FROM pgmq.%I m2
                WHERE COALESCE(m2.headers->>'x-pgmq-group', '_default_fifo_group') = gp.fifo_key
                AND m2.vt > clock_timestamp()
                AND m2.msg_id < gp.min_msg_id
            )
        ),
        available_messages as (
            SELECT gp.fifo_key, t.msg_id,gp.group_priority,
                ROW_NUMBER() OVER (PARTITION BY gp.fifo_key ORDER BY t.msg_id) as msg_rank_in_group
            FROM filtered_groups gp
            CROSS JOIN LATERAL (
                SELECT *
                FROM pgmq.%I t
                WHERE COALESCE(t.headers->>'x-pgmq-group', '_default_fifo_group') = gp.fifo_key
                AND t.vt <= clock_timestamp()
                ORDER BY msg_id
                LIMIT $1  -- tip to limit query impact, we know we need at most qty in each group
            ) t
            ORDER BY gp.group_priority
        ),
        batch_selection AS (
            -- Select messages to fill batch, prioritizing earliest group
            SELECT
                msg_id,
                ROW_NUMBER() OVER (ORDER BY group_priority, msg_rank_in_group) as overall_rank
            FROM available_messages
        ),
        selected_messages AS (
            -- Limit to requested quantity
            SELECT msg_id
            FROM batch_selection
            WHERE overall_rank <= $1
            ORDER BY msg_id
            FOR UPDATE SKIP LOCKED
        )
        UPDATE pgmq.%I m
        SET
            vt = clock_timestamp() + %L,
            read_ct = read_ct + 1,
            last_read_at = clock_timestamp()
        FROM selected_messages sm
        WHERE m.msg_id = sm.msg_id
        RETURNING m.msg_id, m.read_ct, m.enqueued_at, m.last_read_at, m.vt, m.message, m.headers;
        $QUERY$,
        qtable, qtable, qtable, qtable, qtable, make_interval(secs => vt)
    );
    RETURN QUERY EXECUTE sql USING qty;
END;
$_$;

CREATE FUNCTION pgmq.read_grouped_head(queue_name text, vt integer, qty integer) RETURNS SETOF pgmq.message_record
    LANGUAGE plpgsql
    AS $_$
DECLARE
    sql TEXT;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
BEGIN
    sql := FORMAT(
        $QUERY$
        WITH fifo_groups AS (
            -- Determine the absolute head (oldest) message id per FIFO group, regardless of visibility
            SELECT 
                COALESCE(headers->>'x-pgmq-group', '_default_fifo_group') AS fifo_key,
                MIN(msg_id) AS head_msg_id
            FROM pgmq.%1$I
            GROUP BY COALESCE(headers->>'x-pgmq-group', '_default_fifo_group')
        ),
        selected_messages AS (
            -- Take at most 1 message per group
            SELECT g.head_msg_id msg_id
            FROM fifo_groups g
            JOIN pgmq.%1$I q ON q.msg_id = g.head_msg_id
	        WHERE q.vt <= clock_timestamp()
            ORDER BY q.msg_id
            LIMIT $1
            FOR UPDATE SKIP LOCKED
        )
        UPDATE pgmq.%1$I m
        SET
            vt = clock_timestamp() + %2$L,
            read_ct = read_ct + 1,
            last_read_at = clock_timestamp()
        FROM selected_messages sm
        WHERE m.msg_id = sm.msg_id
        RETURNING m.msg_id, m.read_ct, m.enqueued_at, m.last_read_at, m.vt, m.message, m.headers;
        $QUERY$,
        qtable, make_interval(secs => vt)
    );
    RETURN QUERY EXECUTE sql USING qty;
END;
$_$;

CREATE FUNCTION pgmq.read_grouped_rr(queue_name text, vt integer, qty integer) RETURNS SETOF pgmq.message_record
    LANGUAGE plpgsql
    AS $_$
DECLARE
    sql TEXT;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
BEGIN
    sql := FORMAT(
        $QUERY$
        WITH fifo_groups AS (
            -- Determine the absolute head (oldest) message id per FIFO group, regardless of visibility
            SELECT
                COALESCE(headers->>'x-pgmq-group', '_default_fifo_group') AS fifo_key,
                MIN(msg_id) AS head_msg_id
            FROM pgmq.%1$I
            GROUP BY COALESCE(headers->>'x-pgmq-group', '_default_fifo_group')
        ),
        eligible_groups AS (
            -- Only groups whose head message is currently visible
            -- Acquire a transaction-level advisory lock per group to prevent concurrent selection
            SELECT
                g.fifo_key,
                g.head_msg_id,
                ROW_NUMBER() OVER (ORDER BY g.head_msg_id) AS group_priority
            FROM fifo_groups g
            JOIN pgmq.%2$I h ON h.msg_id = g.head_msg_id
            WHERE h.vt <= clock_timestamp()
              AND pg_try_advisory_xact_lock(pg_catalog.hashtextextended(g.fifo_key, 0))
        ),
        available_messages AS (
            -- All currently visible messages starting at the head for each eligible group
            SELECT
                m.msg_id,
                eg.group_priority,
                ROW_NUMBER() OVER (
                    PARTITION BY eg.fifo_key
                    ORDER BY m.msg_id
                ) AS msg_rank_in_group
            FROM pgmq.%3$I m
            JOIN eligible_groups eg
              ON COALESCE(m.headers->>'x-pgmq-group', '_default_fifo_group') = eg.fifo_key
            WHERE m.vt <= clock_timestamp()
              AND m.msg_id >= eg.head_msg_id
        ),
        ordered_messages AS (
            -- Layered round-robin: take rank 1 of all groups by group_priority, then rank 2, etc.
            -- Assign selection order before locking
            SELECT msg_id, ROW_NUMBER() OVER (ORDER BY msg_rank_in_group, group_priority) as selection_order
            FROM available_messages
        ),
        selected_messages AS (
            -- Lock the messages in the correct order, preserving selection_order
            SELECT om.msg_id, om.selection_order
            FROM ordered_messages om
            JOIN pgmq.%4$I m ON m.msg_id = om.msg_id
            WHERE om.selection_order <= $1
            ORDER BY om.selection_order
            FOR UPDATE OF m SKIP LOCKED
        ),
        updated_messages AS (
            UPDATE pgmq.%5$I m
            SET
                vt = clock_timestamp() + %6$L,
                read_ct = read_ct + 1,
                last_read_at = clock_timestamp()
            FROM selected_messages sm
            WHERE m.msg_id = sm.msg_id
              AND m.vt <= clock_timestamp() -- final guard to avoid duplicate reads under races
            RETURNING m.msg_id, m.read_ct, m.enqueued_at, m.last_read_at, m.vt, m.message, m.headers, sm.selection_order
        )
        SELECT msg_id, read_ct, enqueued_at, last_read_at, vt, message, headers
        FROM updated_messages
        ORDER BY selection_order;
        $QUERY$,
        qtable, qtable, qtable, qtable, qtable, make_interval(secs => vt)
    );
    RETURN QUERY EXECUTE sql USING qty;
END;
$_$;

CREATE FUNCTION pgmq.read_grouped_rr_with_poll(queue_name text, vt integer, qty integer, max_poll_seconds integer DEFAULT 5, poll_interval_ms integer DEFAULT 100) RETURNS SETOF pgmq.message_record
    LANGUAGE plpgsql
    AS $$
DECLARE
    r pgmq.message_record;
    stop_at TIMESTAMP;
BEGIN
    stop_at := clock_timestamp() + make_interval(secs => max_poll_seconds);
    LOOP
      IF (SELECT clock_timestamp() >= stop_at) THEN
        RETURN;
      END IF;

      FOR r IN
        SELECT * FROM pgmq.read_grouped_rr(queue_name, vt, qty)
      LOOP
        RETURN NEXT r;
      END LOOP;
      IF FOUND THEN
        RETURN;
      ELSE
        PERFORM pg_sleep(poll_interval_ms::numeric / 1000);
      END IF;
    END LOOP;
END;
$$;

CREATE FUNCTION pgmq.read_grouped_with_poll(queue_name text, vt integer, qty integer, max_poll_seconds integer DEFAULT 5, poll_interval_ms integer DEFAULT 100) RETURNS SETOF pgmq.message_record
    LANGUAGE plpgsql
    AS $$
DECLARE
    r pgmq.message_record;
    stop_at TIMESTAMP;
BEGIN
    stop_at := clock_timestamp() + make_interval(secs => max_poll_seconds);
    LOOP
      IF (SELECT clock_timestamp() >= stop_at) THEN
        RETURN;
      END IF;

      FOR r IN
        SELECT * FROM pgmq.read_grouped(queue_name, vt, qty)
      LOOP
        RETURN NEXT r;
      END LOOP;
      IF FOUND THEN
        RETURN;
      ELSE
        PERFORM pg_sleep(poll_interval_ms::numeric / 1000);
      END IF;
    END LOOP;
END;
$$;

CREATE FUNCTION pgmq.read_with_poll(queue_name text, vt integer, qty integer, max_poll_seconds integer DEFAULT 5, poll_interval_ms integer DEFAULT 100, conditional jsonb DEFAULT '{}'::jsonb) RETURNS SETOF pgmq.message_record
    LANGUAGE plpgsql
    AS $_$
DECLARE
    r pgmq.message_record;
    stop_at TIMESTAMP;
    sql TEXT;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
BEGIN
    stop_at := clock_timestamp() + make_interval(secs => max_poll_seconds);
    LOOP
      IF (SELECT clock_timestamp() >= stop_at) THEN
        RETURN;
      END IF;

      sql := FORMAT(
          $QUERY$
          WITH cte AS
          (
              SELECT msg_id
              FROM pgmq.%I
              WHERE vt <= clock_timestamp() AND CASE
                  WHEN %L != '{}'::jsonb THEN (message @> %2$L)::integer
                  ELSE 1
              END = 1
              ORDER BY msg_id ASC
              LIMIT $1
              FOR UPDATE SKIP LOCKED
          )
          UPDATE pgmq.%I m
          SET
              last_read_at = clock_timestamp(),
              vt = clock_timestamp() + %L,
              read_ct = read_ct + 1
          FROM cte
          WHERE m.msg_id = cte.msg_id
          RETURNING m.msg_id, m.read_ct, m.enqueued_at, m.last_read_at, m.vt, m.message, m.headers;
          $QUERY$,
          qtable, conditional, qtable, make_interval(secs => vt)
      );

      FOR r IN
        EXECUTE sql USING qty
      LOOP
        RETURN NEXT r;
      END LOOP;
      IF FOUND THEN
        RETURN;
      ELSE
        PERFORM pg_sleep(poll_interval_ms::numeric / 1000);
      END IF;
    END LOOP;
END;
$_$;

CREATE FUNCTION pgmq.send(queue_name text, msg jsonb) RETURNS SETOF bigint
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send(queue_name, msg, NULL, clock_timestamp());
$$;

CREATE FUNCTION pgmq.send(queue_name text, msg jsonb, delay integer) RETURNS SETOF bigint
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send(queue_name, msg, NULL, clock_timestamp() + make_interval(secs => delay));
$$;

CREATE FUNCTION pgmq.send(queue_name text, msg jsonb, headers jsonb) RETURNS SETOF bigint
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send(queue_name, msg, headers, clock_timestamp());
$$;

CREATE FUNCTION pgmq.send(queue_name text, msg jsonb, delay timestamp with time zone) RETURNS SETOF bigint
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send(queue_name, msg, NULL, delay);
$$;

CREATE FUNCTION pgmq.send(queue_name text, msg jsonb, headers jsonb, delay integer) RETURNS SETOF bigint
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send(queue_name, msg, headers, clock_timestamp() + make_interval(secs => delay));
$$;

CREATE FUNCTION pgmq.send(queue_name text, msg jsonb, headers jsonb, delay timestamp with time zone) RETURNS SETOF bigint
    LANGUAGE plpgsql
    AS $_$
DECLARE
    sql TEXT;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
BEGIN
    sql := FORMAT(
            $QUERY$
        INSERT INTO pgmq.%I (vt, message, headers)
        VALUES ($2, $1, $3)
        RETURNING msg_id;
        $QUERY$,
            qtable
           );
    RETURN QUERY EXECUTE sql USING msg, delay, headers;
END;
$_$;

CREATE FUNCTION pgmq.send_batch(queue_name text, msgs jsonb[]) RETURNS SETOF bigint
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send_batch(queue_name, msgs, NULL, clock_timestamp());
$$;

CREATE FUNCTION pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[]) RETURNS SETOF bigint
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send_batch(queue_name, msgs, headers, clock_timestamp());
$$;

CREATE FUNCTION pgmq.send_batch(queue_name text, msgs jsonb[], delay integer) RETURNS SETOF bigint
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send_batch(queue_name, msgs, NULL, clock_timestamp() + make_interval(secs => delay));
$$;

CREATE FUNCTION pgmq.send_batch(queue_name text, msgs jsonb[], delay timestamp with time zone) RETURNS SETOF bigint
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send_batch(queue_name, msgs, NULL, delay);
$$;

CREATE FUNCTION pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay integer) RETURNS SETOF bigint
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send_batch(queue_name, msgs, headers, clock_timestamp() + make_interval(secs => delay));
$$;

CREATE FUNCTION pgmq.send_batch(queue_name text, msgs jsonb[], headers jsonb[], delay timestamp with time zone) RETURNS SETOF bigint
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pgmq._validate_batch_params(msgs, headers);
    RETURN QUERY SELECT * FROM pgmq._send_batch(queue_name, msgs, headers, delay);
END;
$$;

CREATE FUNCTION pgmq.send_batch_topic(routing_key text, msgs jsonb[]) RETURNS TABLE(queue_name text, msg_id bigint)
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send_batch_topic(routing_key, msgs, NULL, clock_timestamp());
$$;

CREATE FUNCTION pgmq.send_batch_topic(routing_key text, msgs jsonb[], headers jsonb[]) RETURNS TABLE(queue_name text, msg_id bigint)
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send_batch_topic(routing_key, msgs, headers, clock_timestamp());
$$;

CREATE FUNCTION pgmq.send_batch_topic(routing_key text, msgs jsonb[], delay integer) RETURNS TABLE(queue_name text, msg_id bigint)
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send_batch_topic(routing_key, msgs, NULL, clock_timestamp() + make_interval(secs => delay));
$$;

CREATE FUNCTION pgmq.send_batch_topic(routing_key text, msgs jsonb[], delay timestamp with time zone) RETURNS TABLE(queue_name text, msg_id bigint)
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send_batch_topic(routing_key, msgs, NULL, delay);
$$;

CREATE FUNCTION pgmq.send_batch_topic(routing_key text, msgs jsonb[], headers jsonb[], delay integer) RETURNS TABLE(queue_name text, msg_id bigint)
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.send_batch_topic(routing_key, msgs, headers, clock_timestamp() + make_interval(secs => delay));
$$;

CREATE FUNCTION pgmq.send_batch_topic(routing_key text, msgs jsonb[], headers jsonb[], delay timestamp with time zone) RETURNS TABLE(queue_name text, msg_id bigint)
    LANGUAGE plpgsql
    AS $$
DECLARE
    b RECORD;
BEGIN
    PERFORM pgmq.validate_routing_key(routing_key);

    -- Validate batch parameters once (not per queue)
    PERFORM pgmq._validate_batch_params(msgs, headers);

    -- Filter matching patterns in SQL for better performance (uses index)
    -- Any failure will rollback the entire transaction
    FOR b IN
        SELECT DISTINCT tb.queue_name
        FROM pgmq.topic_bindings tb
        WHERE routing_key ~ tb.compiled_regex
        ORDER BY tb.queue_name -- Deterministic ordering, deduplicated by queue_name
        LOOP
            -- Use private _send_batch to avoid redundant validation
            RETURN QUERY
            SELECT b.queue_name, batch_result.msg_id
            FROM pgmq._send_batch(b.queue_name, msgs, headers, delay) AS batch_result(msg_id);
        END LOOP;

    RETURN;
END;
$$;

CREATE FUNCTION pgmq.send_topic(routing_key text, msg jsonb) RETURNS integer
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN pgmq.send_topic(routing_key, msg, NULL, 0);
END;
$$;

CREATE FUNCTION pgmq.send_topic(routing_key text, msg jsonb, delay integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN pgmq.send_topic(routing_key, msg, NULL, delay);
END;
$$;

CREATE FUNCTION pgmq.send_topic(routing_key text, msg jsonb, headers jsonb, delay integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    b             RECORD;
    matched_count integer := 0;
BEGIN
    PERFORM pgmq.validate_routing_key(routing_key);

    IF msg IS NULL THEN
        RAISE EXCEPTION 'msg cannot be NULL';
    END IF;

    IF delay < 0 THEN
        RAISE EXCEPTION 'delay cannot be negative, got: %', delay;
    END IF;

    -- Filter matching patterns in SQL for better performance (uses index)
    -- Any failure will rollback the entire transaction
    FOR b IN
        SELECT DISTINCT tb.queue_name
        FROM pgmq.topic_bindings tb
        WHERE routing_key ~ tb.compiled_regex
        ORDER BY tb.queue_name -- Deterministic ordering, deduplicated by queue_name
        LOOP
            PERFORM pgmq.send(b.queue_name, msg, headers, delay);
            matched_count := matched_count + 1;
        END LOOP;

    RETURN matched_count;
END;
$$;

CREATE FUNCTION pgmq.set_vt(queue_name text, msg_ids bigint[], vt integer) RETURNS SETOF pgmq.message_record
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.set_vt(queue_name, msg_ids, clock_timestamp() + make_interval(secs => vt));
$$;

CREATE FUNCTION pgmq.set_vt(queue_name text, msg_ids bigint[], vt timestamp with time zone) RETURNS SETOF pgmq.message_record
    LANGUAGE plpgsql
    AS $_$
DECLARE
    sql TEXT;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
BEGIN
    sql := FORMAT(
        $QUERY$
        UPDATE pgmq.%I
        SET vt = $1
        WHERE msg_id = ANY($2)
        RETURNING msg_id, read_ct, enqueued_at, last_read_at, vt, message, headers;
        $QUERY$,
        qtable
    );
    RETURN QUERY EXECUTE sql USING vt, msg_ids;
END;
$_$;

CREATE FUNCTION pgmq.set_vt(queue_name text, msg_id bigint, vt integer) RETURNS SETOF pgmq.message_record
    LANGUAGE sql
    AS $$
    SELECT * FROM pgmq.set_vt(queue_name, msg_id, clock_timestamp() + make_interval(secs => vt));
$$;

CREATE FUNCTION pgmq.set_vt(queue_name text, msg_id bigint, vt timestamp with time zone) RETURNS SETOF pgmq.message_record
    LANGUAGE plpgsql
    AS $_$
DECLARE
    sql TEXT;
    result pgmq.message_record;
    qtable TEXT := pgmq.format_table_name(queue_name, 'q');
BEGIN
    sql := FORMAT(
        $QUERY$
        UPDATE pgmq.%I
        SET vt = $1
        WHERE msg_id = $2
        RETURNING msg_id, read_ct, enqueued_at, last_read_at, vt, message, headers;
        $QUERY$, 
        qtable
    );
    RETURN QUERY EXECUTE sql USING vt, msg_id;
END;
$_$;

CREATE FUNCTION pgmq.test_routing(routing_key text) RETURNS TABLE(pattern text, queue_name text, compiled_regex text)
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    PERFORM pgmq.validate_routing_key(routing_key);
    RETURN QUERY
        SELECT b.pattern,
               b.queue_name,
               b.compiled_regex
        FROM pgmq.topic_bindings b
        WHERE routing_key ~ b.compiled_regex
        ORDER BY b.pattern;
END;
$$;

CREATE FUNCTION pgmq.unbind_topic(pattern text, queue_name text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
DECLARE
    rows_deleted integer;
BEGIN
    IF pattern IS NULL OR pattern = '' THEN
        RAISE EXCEPTION 'pattern cannot be NULL or empty';
    END IF;

    IF queue_name IS NULL OR queue_name = '' THEN
        RAISE EXCEPTION 'queue_name cannot be NULL or empty';
    END IF;

    DELETE
    FROM pgmq.topic_bindings
    WHERE topic_bindings.pattern = unbind_topic.pattern
      AND topic_bindings.queue_name = unbind_topic.queue_name;

    GET DIAGNOSTICS rows_deleted = ROW_COUNT;

    IF rows_deleted > 0 THEN
        RETURN true;
    ELSE
        RETURN false;
    END IF;
END;
$$;

CREATE FUNCTION pgmq.update_notify_insert(queue_name text, throttle_interval_ms integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF throttle_interval_ms < 0 THEN
        RAISE EXCEPTION 'throttle_interval_ms must be non-negative, got: %', throttle_interval_ms;
    END IF;

    IF NOT EXISTS (SELECT 1 FROM pgmq.meta WHERE meta.queue_name = update_notify_insert.queue_name) THEN
        RAISE EXCEPTION 'Queue "%" does not exist. Create the queue first using pgmq.create()', queue_name;
    END IF;

    IF NOT EXISTS (SELECT 1 FROM pgmq.notify_insert_throttle WHERE notify_insert_throttle.queue_name = update_notify_insert.queue_name) THEN
        RAISE EXCEPTION 'Queue "%" does not have notify_insert enabled. Enable it first using pgmq.enable_notify_insert()', queue_name;
    END IF;

    UPDATE pgmq.notify_insert_throttle
    SET throttle_interval_ms = update_notify_insert.throttle_interval_ms,
        last_notified_at = to_timestamp(0)
    WHERE notify_insert_throttle.queue_name = update_notify_insert.queue_name;
END;
$$;

CREATE FUNCTION pgmq.validate_queue_name(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF length(queue_name) > 47 THEN
    -- complete table identifier must be <= 63
    -- https://www.postgresql.org/docs/17/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS
    -- e.g. template_pgmq_q_my_queue is an identifier for my_queue when partitioned
    -- template_pgmq_q_ (16) + <a max length queue name> (47) = 63 
    RAISE EXCEPTION 'queue name is too long, maximum length is 47 characters';
  END IF;
END;
$$;

CREATE FUNCTION pgmq.validate_routing_key(routing_key text) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
BEGIN
    -- Valid routing key examples:
    --   "logs.error"
    --   "app.user-service.auth"
    --   "system_events.db.connection_failed"
    --
    -- Invalid routing key examples:
    --   ""                     - empty
    --   ".logs.error"          - starts with dot
    --   "logs.error."          - ends with dot
    --   "logs..error"          - consecutive dots
    --   "logs.error!"          - invalid character
    --   "logs error"           - space not allowed
    --   "logs.*"               - wildcards not allowed in routing keys

    IF routing_key IS NULL OR routing_key = '' THEN
        RAISE EXCEPTION 'routing_key cannot be NULL or empty';
    END IF;

    IF length(routing_key) > 255 THEN
        RAISE EXCEPTION 'routing_key length cannot exceed 255 characters, got % characters', length(routing_key);
    END IF;

    IF routing_key !~ '^[a-zA-Z0-9._-]+$' THEN
        RAISE EXCEPTION 'routing_key contains invalid characters. Only alphanumeric, dots, hyphens, and underscores are allowed. Got: %', routing_key;
    END IF;

    IF routing_key ~ '^\.' THEN
        RAISE EXCEPTION 'routing_key cannot start with a dot. Got: %', routing_key;
    END IF;

    IF routing_key ~ '\.$' THEN
        RAISE EXCEPTION 'routing_key cannot end with a dot. Got: %', routing_key;
    END IF;

    IF routing_key ~ '\.\.' THEN
        RAISE EXCEPTION 'routing_key cannot contain consecutive dots. Got: %', routing_key;
    END IF;

    RETURN true;
END;
$_$;

CREATE FUNCTION pgmq.validate_topic_pattern(pattern text) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
BEGIN
    -- Valid pattern examples:
    --   "logs.*"           - matches one segment after logs. (e.g., logs.error, logs.info)
    --   "logs.#"           - matches one or more segments after logs. (e.g., logs.error, logs.api.error)
    --   "*.error"          - matches one segment before .error (e.g., app.error, db.error)
    --   "#.error"          - matches one or more segments before .error (e.g., app.error, x.y.error)
    --   "app.*.#"          - mixed wildcards (one segment then one or more)
    --   "#"                - catch-all pattern, matches any routing key
    --
    -- Invalid pattern examples:
    --   ".logs.*"          - starts with dot
    --   "logs.*."          - ends with dot
    --   "logs..error"      - consecutive dots
    --   "logs.**"          - consecutive stars
    --   "logs.##"          - consecutive hashes
    --   "logs.*#"          - adjacent wildcards
    --   "logs.error!"      - invalid character

    IF pattern IS NULL OR pattern = '' THEN
        RAISE EXCEPTION 'pattern cannot be NULL or empty';
    END IF;

    IF length(pattern) > 255 THEN
        RAISE EXCEPTION 'pattern length cannot exceed 255 characters, got % characters', length(pattern);
    END IF;

    IF pattern !~ '^[a-zA-Z0-9._\-*#]+$' THEN
        RAISE EXCEPTION 'pattern contains invalid characters. Only alphanumeric, dots, hyphens, underscores, *, and # are allowed. Got: %', pattern;
    END IF;

    IF pattern ~ '^\.' THEN
        RAISE EXCEPTION 'pattern cannot start with a dot. Got: %', pattern;
    END IF;

    IF pattern ~ '\.$' THEN
        RAISE EXCEPTION 'pattern cannot end with a dot. Got: %', pattern;
    END IF;

    IF pattern ~ '\.\.' THEN
        RAISE EXCEPTION 'pattern cannot contain consecutive dots. Got: %', pattern;
    END IF;

    IF pattern ~ '\*\*' THEN
        RAISE EXCEPTION 'pattern cannot contain consecutive stars (**). Use # for multi-segment matching. Got: %', pattern;
    END IF;

    IF pattern ~ '##' THEN
        RAISE EXCEPTION 'pattern cannot contain consecutive hashes (##). A single # already matches zero or more segments. Got: %', pattern;
    END IF;

    IF pattern ~ '\*#' OR pattern ~ '#\*' THEN
        RAISE EXCEPTION 'pattern cannot contain adjacent wildcards (*# or #*). Separate wildcards with dots. Got: %', pattern;
    END IF;

    RETURN true;
END;
$_$;

CREATE FUNCTION public.account_report(p_account_id bigint) RETURNS json
    LANGUAGE sql STABLE
    AS $$
  select json_build_object(
    'subscription_id', s.id,
    'current_period_start', instant(t.period_start),
    'current_period_end', instant(t.period_end),
    'limits', json_build_object(
      'request_units', p.request_units,
      'weekly_request_units', p.weekly_request_units,
      'delivered_units', p.delivered_units,
      'weekly_delivered_units', p.weekly_delivered_units
    ),
    'usage', json_build_object(
      'window_request_units', used.window_request_units,
      'window_delivered_units', used.window_delivered_units,
      'weekly_request_units', used.week_request_units,
      'weekly_delivered_units', used.week_delivered_units,
      'reserved_request_units', reserved.request_units,
      'reserved_delivered_units', reserved.delivered_units
    )
  )
  from subscriptions s
  join plans p on p.name = s.plan
  cross join lateral subscription_terms(
    s.status, s.current_period_start, s.current_period_end, p.window_seconds, now()) t
  cross join lateral settled_units(s.id, t.window_start, t.week_start) used
  cross join lateral reserved_units(s.id, t.window_start, t.week_start, null) reserved
  where s.account_id = p_account_id
$$;

CREATE FUNCTION public.acquire_observations(p_records jsonb) RETURNS bigint[]
    LANGUAGE plpgsql
    AS $$
declare
  last_id bigint;
begin
  perform from dataset_clock for update;
  select coalesce(max(id), 0) into last_id from observations;
  perform record_observations(p_records);
  return array(select id from observations where id > last_id order by id);
end $$;

CREATE TABLE public.allowances (
    subscription_id bigint NOT NULL,
    window_start timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    window_request_units integer DEFAULT 0 NOT NULL,
    window_delivered_units integer DEFAULT 0 NOT NULL,
    window_fresh_evidence_units integer DEFAULT 0 NOT NULL,
    window_reserved_request_units integer DEFAULT 0 NOT NULL,
    window_reserved_delivered_units integer DEFAULT 0 NOT NULL,
    week_start timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    week_request_units integer DEFAULT 0 NOT NULL,
    week_delivered_units integer DEFAULT 0 NOT NULL,
    week_fresh_evidence_units integer DEFAULT 0 NOT NULL,
    week_reserved_request_units integer DEFAULT 0 NOT NULL,
    week_reserved_delivered_units integer DEFAULT 0 NOT NULL,
    reserved_request_units integer DEFAULT 0 NOT NULL,
    reserved_delivered_units integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');

CREATE TABLE public.operations (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    subscription_id bigint NOT NULL,
    request_key text NOT NULL,
    action text NOT NULL,
    fingerprint bytea NOT NULL,
    scope bytea NOT NULL,
    inputs jsonb,
    status text NOT NULL,
    claimed_at timestamp with time zone NOT NULL,
    deadline_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    lease_token uuid,
    lease_expires_at timestamp with time zone,
    message_id bigint,
    window_start timestamp with time zone NOT NULL,
    week_start timestamp with time zone NOT NULL,
    reserved_request_units integer NOT NULL,
    reserved_delivered_units integer NOT NULL,
    request_units integer DEFAULT 0 NOT NULL,
    delivered_units integer DEFAULT 0 NOT NULL,
    fresh_evidence_units integer DEFAULT 0 NOT NULL,
    failure_code text,
    result jsonb,
    shortlist_id bigint,
    start_position integer DEFAULT 0 NOT NULL,
    next_position integer,
    next_cursor text,
    filters jsonb,
    shows_hostnames boolean
)
WITH (fillfactor='70');
ALTER TABLE ONLY public.operations ALTER COLUMN id SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN account_id SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN subscription_id SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN request_key SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN action SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN fingerprint SET STATISTICS 0;
ALTER TABLE ONLY public.operations ALTER COLUMN scope SET STATISTICS 0;
ALTER TABLE ONLY public.operations ALTER COLUMN inputs SET STATISTICS 0;
ALTER TABLE ONLY public.operations ALTER COLUMN status SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN claimed_at SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN deadline_at SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN finished_at SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN lease_token SET STATISTICS 0;
ALTER TABLE ONLY public.operations ALTER COLUMN lease_expires_at SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN message_id SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN window_start SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN week_start SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN reserved_request_units SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN reserved_delivered_units SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN request_units SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN delivered_units SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN fresh_evidence_units SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN failure_code SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN result SET STATISTICS 0;
ALTER TABLE ONLY public.operations ALTER COLUMN shortlist_id SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN start_position SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN next_position SET STATISTICS 10;
ALTER TABLE ONLY public.operations ALTER COLUMN next_cursor SET STATISTICS 0;
ALTER TABLE ONLY public.operations ALTER COLUMN filters SET STATISTICS 0;
ALTER TABLE ONLY public.operations ALTER COLUMN shows_hostnames SET STATISTICS 10;

CREATE FUNCTION public.admit_units(o public.operations, c public.caller, p_at timestamp with time zone, OUT refused json, OUT a public.allowances) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  requested integer := o.reserved_request_units;
  delivered integer := o.reserved_delivered_units;
  reserved integer := (o.finished_at is null)::integer;
  code text;
  retry_at timestamptz;
begin
  loop
    -- An unfinished operation has no units to charge, and a finished one reserves none.
    update allowances set
      window_request_units = window_request_units + o.request_units,
      window_delivered_units = window_delivered_units + o.delivered_units,
      window_fresh_evidence_units = window_fresh_evidence_units + o.fresh_evidence_units,
      window_reserved_request_units = window_reserved_request_units + reserved * requested,
      window_reserved_delivered_units = window_reserved_delivered_units + reserved * delivered,
      week_request_units = week_request_units + o.request_units,
      week_delivered_units = week_delivered_units + o.delivered_units,
      week_fresh_evidence_units = week_fresh_evidence_units + o.fresh_evidence_units,
      week_reserved_request_units = week_reserved_request_units + reserved * requested,
      week_reserved_delivered_units = week_reserved_delivered_units + reserved * delivered,
      reserved_request_units = reserved_request_units + reserved * requested,
      reserved_delivered_units = reserved_delivered_units + reserved * delivered
    where subscription_id = c.subscription_id
      and window_start = c.window_start
      and week_start = c.week_start
      and window_request_units + window_reserved_request_units + requested <= c.request_units
      and week_request_units + week_reserved_request_units + requested
        <= c.weekly_request_units
      and window_delivered_units + window_reserved_delivered_units + delivered
        <= c.delivered_units
      and week_delivered_units + week_reserved_delivered_units + delivered
        <= c.weekly_delivered_units
    returning * into a;
    if found then return; end if;

    -- The lock keeps the reason for the refusal unchanged while it is read.
    select * into strict a from allowances where subscription_id = c.subscription_id for update;
    if a.window_start <> c.window_start or a.week_start <> c.week_start then
      perform roll_allowance(c, o.id);
      continue;
    end if;
    select short.code, short.retry_at into code, retry_at from (values
      (1, 'request_limit_reached', c.week_end,
        a.week_request_units + a.week_reserved_request_units + requested
          > c.weekly_request_units),
      (2, 'request_limit_reached', c.window_end,
        a.window_request_units + a.window_reserved_request_units + requested > c.request_units),
      (3, 'delivery_limit_reached', c.week_end,
        a.week_delivered_units + a.week_reserved_delivered_units + delivered
          > c.weekly_delivered_units),
      (4, 'delivery_limit_reached', c.window_end,
        a.window_delivered_units + a.window_reserved_delivered_units + delivered
          > c.delivered_units)
    ) short (place, code, retry_at, applies)
    where short.applies
    order by short.place
    limit 1;
    if found then
      refused := json_build_object(
        'outcome', 'refused',
        'code', code,
        'retry_at', instant(retry_at),
        'retry_after_seconds', ceil(extract(epoch from retry_at - p_at))::integer,
        'allowance', allowance_json(c, a, p_at)
      );
      return;
    end if;
  end loop;
end $$;

CREATE FUNCTION public.advance_dataset_clock(OUT change_seq bigint, OUT recorded_at timestamp with time zone) RETURNS record
    LANGUAGE sql
    AS $$
  -- advance_dataset_clock_once() reads this setting.
  select set_config('company_evidence.clock_advanced_by', pg_current_xact_id()::text, true);
  update dataset_clock c
  set change_seq = c.change_seq + 1,
    visible_at = c.recorded_at,
    taken_at = c.recorded_at,
    -- Later than every earlier moment, even if the server's clock was set back.
    recorded_at = greatest(
      date_trunc('milliseconds', clock_timestamp()),
      c.recorded_at + interval '1 millisecond'
    )
  returning c.change_seq, c.recorded_at
$$;

CREATE FUNCTION public.advance_dataset_clock_once() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  -- Also where a savepoint has come between: the setting belongs to the transaction.
  if current_setting('company_evidence.clock_advanced_by', true)
    is distinct from pg_current_xact_id()::text
  then
    perform advance_dataset_clock();
  end if;
  return null;
end $$;

CREATE FUNCTION public.advance_embedding(p_model_id integer, p_lease uuid, p_change_seq bigint, p_observation_id bigint, p_at_end boolean) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  update embedding_models set
    change_seq = p_change_seq,
    observation_id = p_observation_id,
    ready_at = coalesce(
      ready_at,
      case when p_at_end and dimensions is not null then clock_timestamp() end
    )
  where id = p_model_id and lease_token = p_lease;
  return found;
end $$;

CREATE FUNCTION public.allowance_json(c public.caller, p_at timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
declare
  a allowances;
begin
  select * into a from allowances where subscription_id = c.subscription_id;
  return allowance_json(c, a, p_at);
end $$;

CREATE FUNCTION public.allowance_json(c public.caller, a public.allowances, p_at timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
begin
  -- Counters of an earlier window or week are computed here. The next claim stores them.
  if a.window_start <> c.window_start or a.week_start <> c.week_start then
    a := units_in_use(c);
  end if;
  return json_build_object(
    'window_seconds', c.window_seconds,
    'window_limit', c.request_units,
    'window_remaining', greatest(
      0, c.request_units - a.window_request_units - a.window_reserved_request_units),
    'window_resets_in_seconds', ceil(extract(epoch from c.window_end - p_at))::integer,
    'weekly_limit', c.weekly_request_units,
    'weekly_remaining', greatest(
      0, c.weekly_request_units - a.week_request_units - a.week_reserved_request_units),
    'week_resets_in_seconds', ceil(extract(epoch from c.week_end - p_at))::integer
  );
end $$;

CREATE FUNCTION public.answer_of_key(c public.caller, p_request_key text, p_fingerprint bytea, p_at timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  o operations;
begin
  select * into o from operations
  where account_id = c.account_id and request_key = p_request_key;
  if not found then return null; end if;
  if o.fingerprint <> p_fingerprint then return refusal('idempotency_conflict'); end if;
  if o.finished_at is null and o.deadline_at <= p_at then o := expire_operation(o.id, p_at); end if;
  return replayed_answer('found', o, c, false, p_at);
end $$;

CREATE FUNCTION public.are_one_by_name(p_fitting bigint[], p_company_id bigint, p_identifiers text[]) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
begin
  if exists (
    select from company_external_ids x
    where x.company_id = any(p_fitting)
    group by x.source_id
    having count(distinct x.company_id) > 1
  ) then
    return false;
  end if;
  return not exists (
    select from unnest(p_fitting) f (id)
    where f.id <> p_company_id and contradicts(f.id, p_identifiers)
  ) and not exists (
    select from unnest(p_fitting) f (id)
    cross join lateral namesakes(f.id) n
    where n.namesake_id = any(p_fitting) and differs(n.statement, n.namesake)
  ) and not exists (
    select from unnest(p_fitting) f (id)
    join unnest(p_fitting) g (id) on f.id < g.id
    where stay_apart(f.id, g.id)
  );
end $$;

CREATE FUNCTION public.back_off_seconds(o public.operations, p_at timestamp with time zone) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$
  select least(5, greatest(1, extract(epoch from p_at - o.claimed_at) / 4))::integer
$$;

CREATE FUNCTION public.background_outcome(p_outcome text, o public.operations) RETURNS json
    LANGUAGE sql IMMUTABLE
    AS $$
  select json_build_object(
    'outcome', p_outcome,
    'operation', json_build_object(
      'status', o.status,
      'request_units', o.request_units,
      'delivered_units', o.delivered_units,
      'fresh_evidence_units', o.fresh_evidence_units
    )
  )
$$;

CREATE FUNCTION public.caller_of_key(p_key_hash bytea, p_at timestamp with time zone) RETURNS public.caller
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    AS $$
declare
  c caller;
begin
  select * into c from caller_row(p_key_hash, p_at);
  if not found then return null; end if;
  return c;
end $$;

CREATE FUNCTION public.caller_row(p_key_hash bytea, p_at timestamp with time zone) RETURNS SETOF public.caller
    LANGUAGE sql STABLE
    AS $$
  select
    s.account_id,
    s.id,
    s.status,
    p.name,
    p.page_limit,
    p.window_seconds,
    p.request_units,
    p.weekly_request_units,
    p.delivered_units,
    p.weekly_delivered_units,
    t.entitled,
    t.period_start,
    t.period_end,
    t.window_start,
    t.window_end,
    t.week_start,
    t.week_end
  from subscription_of_key(p_key_hash, p_at) s
  join plans p on p.name = s.plan
  cross join lateral subscription_terms(
    s.status, s.current_period_start, s.current_period_end, p.window_seconds, p_at) t
$$;

CREATE FUNCTION public.came_by_merge(p_company_id bigint, p_what text, p_row jsonb) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return exists (
    select from company_merges m
    where m.kept_id = p_company_id and m.undone_at is null
      and m.moved -> p_what @> jsonb_build_array(p_row)
      and not m.moved -> p_what @> jsonb_build_array(p_row || '{"own": true}')
  );
end $$;

CREATE FUNCTION public.cancel_operation(p_key_hash bytea, p_operation_id bigint, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  o operations;
begin
  select * into c from find_caller(p_key_hash, at);
  if not found then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;
  update operations set
    status = 'failed',
    finished_at = at,
    failure_code = 'usage_failed',
    inputs = null,
    -- A cancellation has no separate code, because processes of the previous version know only the
    -- codes of the specification.
    result = '{"entries": [], "cancelled": true}'
  where id = p_operation_id and account_id = c.account_id and status = 'pending'
  returning * into o;
  if found then
    if o.message_id is not null then perform pgmq.delete('operations', o.message_id); end if;
    perform release_units(o);
    return json_build_object('outcome', 'cancelled');
  end if;
  select * into o from operations where id = p_operation_id and account_id = c.account_id;
  if not found then return refusal('usage_not_found'); end if;
  if o.result ? 'cancelled' then return json_build_object('outcome', 'cancelled'); end if;
  return json_build_object('outcome', o.status);
end $$;

CREATE FUNCTION public.claim_and_settle_operation(p_key_hash bytea, p_action text, p_request_key text, p_fingerprint bytea, p_scope bytea, p_inputs jsonb, p_filters jsonb, p_deadline_seconds integer, p_company_ids bigint[], p_places integer[], p_observation_ids bigint[], p_known text[], p_page jsonb, p_moment text, p_expires_at timestamp with time zone, p_limit integer, p_unit text, p_result jsonb, p_unfilled boolean, p_next_cursor text, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  o operations;
  picked record;
  admitted record;
  answer json;
begin
  c := caller_of_key(p_key_hash, at);
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;

  -- Repeats if another transaction inserts the key between the select and the insert.
  loop
    answer := answer_of_key(c, p_request_key, p_fingerprint, at);
    if answer is not null then return answer; end if;
    if p_limit > c.page_limit then return page_limit_refusal(c); end if;
    if p_unfilled and exists (select from sources where permitted and asked_in_searches) then
      return json_build_object('outcome', 'unfilled');
    end if;

    picked := deliverable_entries(
      p_company_ids,
      p_places,
      p_observation_ids,
      p_known,
      0,
      p_limit,
      p_filters,
      '{}',
      true,
      false,
      p_page,
      p_moment,
      p_expires_at
    );
    insert into operations (
      account_id,
      subscription_id,
      request_key,
      action,
      fingerprint,
      scope,
      inputs,
      filters,
      shows_hostnames,
      status,
      claimed_at,
      deadline_at,
      finished_at,
      window_start,
      week_start,
      reserved_request_units,
      reserved_delivered_units,
      request_units,
      delivered_units,
      result,
      next_position,
      next_cursor
    ) values (
      c.account_id,
      c.subscription_id,
      p_request_key,
      p_action,
      p_fingerprint,
      p_scope,
      p_inputs,
      p_filters,
      false,
      'delivered',
      at,
      at + make_interval(secs => p_deadline_seconds),
      at,
      c.window_start,
      c.week_start,
      1,
      p_limit,
      1,
      units_of(p_unit, picked.companies, picked.observations),
      stored_result(at, p_result, picked.entries),
      picked.next_position,
      case when picked.next_position is not null then p_next_cursor end
    )
    on conflict (account_id, request_key) do nothing
    returning * into o;
    exit when found;
  end loop;

  -- admit_units() locks the row that all requests of the subscription share. The statements after
  -- it wait for no other transaction.
  admitted := admit_units(o, c, at);
  if admitted.refused is not null then
    delete from operations where id = o.id;
    return admitted.refused;
  end if;
  if o.next_position is not null then
    insert into shortlists (operation_id, facts, company_ids, places, observation_ids)
    values (o.id, p_result, p_company_ids, p_places, p_observation_ids);
  end if;
  perform write_settlement(o);
  return settled_answer(
    o, allowance_json(c, admitted.a, at), picked.confirmed, picked.confirmation, picked.shown);
end $$;

CREATE FUNCTION public.claim_embedding(p_name text, p_format integer, p_lease uuid, p_seconds integer) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  claimed embedding_models;
begin
  if not exists (select from embedding_models where name = p_name and format = p_format) then
    insert into embedding_models (name, format) values (p_name, p_format) on conflict do nothing;
  end if;
  -- Idle workers call this every second. One write per minute suffices.
  update embedding_models set asked_at = clock_timestamp()
  where name = p_name and format = p_format and asked_at < clock_timestamp() - interval '1 minute';
  update embedding_models m set
    lease_token = p_lease,
    leased_until = clock_timestamp() + make_interval(secs => p_seconds)
  where m.name = p_name
    and m.format = p_format
    and (m.lease_token = p_lease or coalesce(m.leased_until <= clock_timestamp(), true))
    and (
      (m.ready_at is null and m.dimensions is not null)
      -- This compares with the last position only. A check for any row after a position would read
      -- the whole table.
      or (m.change_seq, m.observation_id) < (
        select o.change_seq, o.id from observations o
        order by o.change_seq desc, o.id desc
        limit 1
      )
    )
  returning m.* into claimed;
  if not found then
    return null;
  end if;
  return json_build_object(
    'model_id', claimed.id,
    'dimensions', claimed.dimensions,
    'change_seq', claimed.change_seq,
    'observation_id', claimed.observation_id
  );
end $$;

CREATE FUNCTION public.claim_learning(p_format integer, p_documents integer, p_seconds integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  update semantic_learning set leased_until = clock_timestamp() + make_interval(secs => p_seconds)
  where leased_until <= clock_timestamp() and not exists (
    select from semantic_models m
    where m.format = p_format
      and p_documents between m.documents * 0.5 and m.documents * 2
  );
  return found;
end $$;

CREATE FUNCTION public.claim_operation(p_key_hash bytea, p_action text, p_request_key text, p_fingerprint bytea, p_scope bytea, p_inputs jsonb, p_background boolean, p_limit bigint, p_cursor text, p_delivered_units bigint, p_lease uuid, p_lease_seconds integer, p_deadline_seconds integer, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  answer json := claim_operation(
    p_key_hash,
    p_action,
    p_request_key,
    p_fingerprint,
    p_scope,
    p_inputs,
    coalesce(p_inputs -> 'filters', p_inputs - 'domains'),
    p_action = 'get_companies',
    p_background,
    p_limit,
    p_cursor,
    p_delivered_units,
    p_lease,
    p_lease_seconds,
    p_deadline_seconds,
    p_now
  );
begin
  if answer ->> 'outcome' = 'found' then
    answer := read_operation(p_key_hash, (answer -> 'operation' ->> 'id')::bigint, true, p_now);
  end if;
  return last_version_answer(answer);
end $$;

CREATE FUNCTION public.claim_operation(p_key_hash bytea, p_action text, p_request_key text, p_fingerprint bytea, p_scope bytea, p_inputs jsonb, p_filters jsonb, p_shows_hostnames boolean, p_background boolean, p_limit bigint, p_cursor text, p_delivered_units bigint, p_lease uuid, p_lease_seconds integer, p_deadline_seconds integer, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  o operations;
  previous operations;
  page shortlists;
  page_position integer := 0;
  delivered bigint := p_delivered_units;
  answer json;
  admitted record;
begin
  c := caller_of_key(p_key_hash, at);
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;

  -- Repeats if another transaction inserts the key between the select and the insert.
  loop
    answer := answer_of_key(c, p_request_key, p_fingerprint, at);
    if answer is not null then return answer; end if;

    if p_limit > c.page_limit then return page_limit_refusal(c); end if;
    if p_cursor is not null then
      select * into previous from operations
      where next_cursor = p_cursor and account_id = c.account_id and scope = p_scope;
      if not found then return refusal('invalid_cursor'); end if;
      page_position := previous.next_position;
      select * into page from shortlists
      where operation_id in (previous.id, previous.shortlist_id)
      order by operation_id desc
      limit 1;
      if not found then return refusal('invalid_cursor'); end if;
      delivered := least(delivered, frozen_entries(page) - page_position);
    end if;

    insert into operations (
      account_id,
      subscription_id,
      request_key,
      action,
      fingerprint,
      scope,
      inputs,
      filters,
      shows_hostnames,
      status,
      claimed_at,
      deadline_at,
      lease_token,
      lease_expires_at,
      window_start,
      week_start,
      reserved_request_units,
      reserved_delivered_units,
      shortlist_id,
      start_position
    ) values (
      c.account_id,
      c.subscription_id,
      p_request_key,
      p_action,
      p_fingerprint,
      p_scope,
      p_inputs,
      p_filters,
      p_shows_hostnames,
      case when p_background then 'pending' else 'processing' end,
      at,
      at + make_interval(secs => p_deadline_seconds),
      case when not p_background then p_lease end,
      case when not p_background then at + make_interval(secs => p_lease_seconds) end,
      c.window_start,
      c.week_start,
      1,
      delivered,
      page.operation_id,
      page_position
    )
    on conflict (account_id, request_key) do nothing
    returning * into o;
    exit when found;
  end loop;

  if p_background then
    update operations
    set message_id = (select pgmq.send('operations', jsonb_build_object('operation_id', o.id)))
    where id = o.id
    returning * into o;
  end if;

  -- admit_units() comes last, because it locks the row that all requests of the subscription share.
  admitted := admit_units(o, c, at);
  if admitted.refused is not null then
    if o.message_id is not null then perform pgmq.delete('operations', o.message_id); end if;
    delete from operations where id = o.id;
    return admitted.refused;
  end if;

  if p_background then
    return operation_answer('accepted', o, allowance_json(c, admitted.a, at), null);
  end if;
  return json_build_object(
    'outcome', 'claimed',
    'operation_id', o.id,
    'shortlist', frozen_page(page)
  );
end $$;

CREATE FUNCTION public.claim_search_tables(p_lease uuid, p_seconds integer) RETURNS json
    LANGUAGE sql
    AS $$
  update search_tables set
    lease_token = p_lease,
    leased_until = clock_timestamp() + make_interval(secs => p_seconds)
  where lease_token is null or lease_token = p_lease or leased_until <= clock_timestamp()
    -- No lease lasts longer than this, unless the server's clock was set back.
    or leased_until > clock_timestamp() + make_interval(secs => p_seconds)
  returning json_build_object(
    'serving', serving,
    'filling', filling,
    'retired', coalesce(served_since < clock_timestamp() - interval '1 minute', true)
  )
$$;

CREATE FUNCTION public.companies_by_name(p_company_id bigint) RETURNS bigint[]
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return array(
    with recursive fitting (company_id) as (
      select p_company_id
      union
      select n.namesake_id
      from fitting f
      cross join lateral namesakes(f.company_id) n
      where name_fits(n.statement, n.namesake)
    )
    select f.company_id from fitting f order by 1
  );
end $$;

CREATE FUNCTION public.companies_of_identifiers(p_identifiers text[]) RETURNS bigint[]
    LANGUAGE plpgsql STABLE
    AS $$
begin
  if p_identifiers = '{}' then
    return '{}';
  end if;
  return array(
    select distinct i.company_id
    from unnest(p_identifiers) identifier
    join company_identifiers i
      on i.scheme = split_part(identifier, ':', 1) and i.value = split_part(identifier, ':', 2)
    where not contradicts(i.company_id, p_identifiers)
    order by 1
  );
end $$;

CREATE FUNCTION public.company_mentions(p_records jsonb, p_places bigint[], p_ids bigint[]) RETURNS TABLE(source_id integer, external_id text, name text, normalized_name text, legal_form text, country text, hostnames text[], identifiers text[], joining jsonb, places bigint[], ids bigint[], company_id bigint, settled boolean)
    LANGUAGE plpgsql STABLE
    AS $$
#variable_conflict use_column
begin
  return query
  with given_records as (
    select
      s.id as source_id,
      r.company_external_id as external_id,
      r.company_name as name,
      r.normalized_name,
      r.legal_form,
      r.country,
      r.hostnames,
      coalesce(r.company_identifiers, '{}') as identifiers,
      r.joining,
      r.place,
      w.id,
      r.company_name is distinct from lag(r.company_name) over same_company as renamed,
      row_number() over (order by r.place) - row_number() over (
        partition by s.id, r.company_external_id, r.company_name, r.normalized_name, r.legal_form,
          r.country, r.hostnames, r.company_identifiers, r.joining, w.id
        order by r.place
      ) as others_before
    from rows from (
      jsonb_to_recordset(p_records) as (
        source text,
        company_external_id text,
        company_name text,
        normalized_name text,
        legal_form text,
        country text,
        hostnames text[],
        company_identifiers text[],
        joining text
      )
    ) with ordinality r (
      source, company_external_id, company_name, normalized_name, legal_form, country, hostnames,
      company_identifiers, joining, place
    )
    join sources s on s.name = r.source
    join unnest(p_places, p_ids) w (place, id) on w.place = r.place
    window same_company as (partition by s.id, r.company_external_id order by r.place)
  ), named as (
    select
      g.*,
      count(*) filter (where g.renamed) over (
        partition by g.source_id, g.external_id order by g.place
      ) as naming,
      count(g.id) over (order by g.place) as revisions
    from given_records g
  ), mentions as (
    select
      n.source_id,
      n.external_id,
      n.name,
      n.normalized_name,
      n.legal_form,
      n.country,
      n.hostnames,
      n.identifiers,
      n.joining,
      array_agg(n.place order by n.place) as places,
      array_remove(array[n.id], null) as ids
    from named n
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, n.id,
      case when n.external_id is null then n.others_before else n.naming end,
      case when n.identifiers <> '{}' then n.revisions end
  )
  select
    m.source_id,
    m.external_id,
    m.name,
    m.normalized_name,
    m.legal_form,
    m.country,
    m.hostnames,
    m.identifiers,
    m.joining::jsonb,
    m.places,
    m.ids,
    known.company_id,
    coalesce(
    known.is_name_known
    and exists (
      select from company_names n
      where n.source_id = m.source_id and n.normalized_name = m.normalized_name
        and n.country = m.country and n.company_id = known.company_id
        and n.legal_form = m.legal_form
    )
    and not exists (
      select from unnest(m.hostnames) h
      where not exists (
        select from domains d
        join company_domains cd on cd.domain_id = d.id
        join observation_domains od on od.domain_id = d.id
        join observations o on o.id = od.observation_id and o.company_id = cd.company_id
        where d.hostname = h and cd.company_id = known.company_id
      )
    )
    and not exists (
      select from unnest(m.identifiers) identifier
      where not exists (
        select from company_identifiers i
        where i.scheme = split_part(identifier, ':', 1)
          and i.value = split_part(identifier, ':', 2)
          and i.company_id = known.company_id
      )
    )
    and case
      when known.is_name_known then knows_joining(m.source_id, m.external_id, m.joining::jsonb)
      else false
    end, false) as settled
  from mentions m
  left join lateral (
    select x.company_id, x.name = m.name as is_name_known from company_external_ids x
    where x.source_id = m.source_id and x.external_id = m.external_id
    union all
    select coalesce(
      (companies_of_identifiers(m.identifiers))[1],
      company_of_hostnames(m.source_id, null, m.identifiers, m.hostnames, '{}', '{}'),
      company_of_name(
        m.source_id, null, m.identifiers, m.normalized_name, m.legal_form, m.country
      )
    ), true
    where m.external_id is null
  ) known on true;
end $$;

CREATE FUNCTION public.company_of_hostnames(p_source_id integer, p_external_id text, p_identifiers text[], p_hostnames text[], p_given text[], p_revised bigint[]) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
begin
  if p_hostnames = '{}' then
    return null;
  end if;
  return (
    select min(cd.company_id)
    from domains d
    join company_domains cd on cd.domain_id = d.id
    where d.hostname = any(p_hostnames) and cd.active
      and (cd.company_id || '/' || d.hostname = any(p_given) or exists (
        select from observation_domains od
        join observations o on o.id = od.observation_id
        where od.domain_id = d.id and o.company_id = cd.company_id and o.id <> all(p_revised)
      ))
      and (p_external_id is null or not exists (
        select from company_external_ids x
        where x.company_id = cd.company_id and x.source_id = p_source_id
          and x.external_id <> p_external_id
      ))
      and (p_identifiers = '{}' or not contradicts(cd.company_id, p_identifiers))
  );
end $$;

CREATE FUNCTION public.company_of_name(p_source_id integer, p_external_id text, p_identifiers text[], p_normalized_name text, p_legal_form text, p_country text) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return (
    select n.company_id
    from company_names n
    where n.source_id = p_source_id and n.normalized_name = p_normalized_name
      and n.country = p_country
      and (p_external_id is null or not exists (
        select from company_external_ids x
        where x.company_id = n.company_id and x.source_id = p_source_id
          and x.external_id <> p_external_id
      ))
      and (p_identifiers = '{}' or not contradicts(n.company_id, p_identifiers))
    group by 1
    having p_legal_form = '' or bool_or(n.legal_form = p_legal_form) or bool_and(n.legal_form = '')
    order by bool_or(n.legal_form = p_legal_form) desc, 1
    limit 1
  );
end $$;

CREATE FUNCTION public.contradicts(p_company_id bigint, p_identifiers text[]) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return exists (
    select from unnest(p_identifiers) identifier
    join company_identifiers i
      on i.company_id = p_company_id and i.scheme = split_part(identifier, ':', 1)
    where i.value <> split_part(identifier, ':', 2)
  );
end $$;

CREATE FUNCTION public.count_demo(p_sources text[]) RETURNS json
    LANGUAGE sql STABLE
    AS $$
  select json_build_object(
    'observations', (
      select count(*)
      from observations o
      join sources s on s.id = o.source_id
      where s.name = any(p_sources)
    ),
    'account_id', (select id from accounts where is_demo),
    'settlements', (
      select count(*)
      from ledger l
      join subscriptions s on s.id = l.subscription_id
      join accounts a on a.id = s.account_id
      where a.is_demo
    )
  )
$$;

CREATE FUNCTION public.create_account(p_name text, p_plan text, p_status text) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  new_account_id bigint;
  new_subscription_id bigint;
begin
  insert into accounts (name) values (p_name) returning id into new_account_id;
  insert into subscriptions (account_id, plan, status, current_period_start, current_period_end)
  values (
    new_account_id, p_plan, p_status,
    date_trunc('milliseconds', now()), date_trunc('milliseconds', now()) + interval '1 month'
  )
  returning id into new_subscription_id;
  insert into allowances (subscription_id) values (new_subscription_id);
  return json_build_object('account_id', new_account_id, 'subscription_id', new_subscription_id);
end $$;

CREATE FUNCTION public.create_demo_account() RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
  account bigint := (select id from accounts where is_demo);
begin
  if account is null then
    account := create_account('demo', 'demo', 'active') ->> 'account_id';
    update accounts set is_demo = true where id = account;
  end if;
  return account;
end $$;

CREATE FUNCTION public.cut_excerpts(p_cuts jsonb) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  touched bigint[] := array(
    select distinct w.observation_id
    from jsonb_to_recordset(p_cuts) as c (id bigint)
    join evidence e on e.id = c.id
    join evidence w on w.observation_id = e.observation_id and w.withdrawn_at is not null
  );
  cut integer;
begin
  -- Every write to the dataset first locks the clock. Another order could cause a deadlock.
  perform advance_dataset_clock();
  with long_excerpts as (
    select e.id, e.observation_id, c.excerpt
    from jsonb_to_recordset(p_cuts) as c (id bigint, md5 text, excerpt text)
    join evidence e on e.id = c.id and md5(e.excerpt) = c.md5
    for update of e
  ), kept as (
    update observations o set texts = array(
      select e.excerpt from evidence e
      where e.observation_id = o.id and e.withdrawn_at is null
      order by e.id
    )
    where o.id in (select observation_id from long_excerpts) and o.texts = '{}'
  )
  update evidence e set excerpt = w.excerpt from long_excerpts w where e.id = w.id;
  get diagnostics cut = row_count;
  if touched <> '{}' then
    perform touch_observations(touched);
  end if;
  return cut;
end $$;

CREATE FUNCTION public.dataset_moment() RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return (
    select concat_ws(' ', c.dataset_id, c.change_seq, extract(epoch from c.recorded_at))
    from dataset_clock c
  );
end $$;

CREATE FUNCTION public.delete_demo_account(p_account_id bigint) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
  subscription bigint := (select id from subscriptions where account_id = p_account_id);
  settlements bigint;
begin
  delete from ledger where subscription_id = subscription;
  get diagnostics settlements = row_count;
  perform pgmq.delete('operations', message_id) from operations
  where account_id = p_account_id and message_id is not null;
  delete from shortlists where operation_id in (
    select id from operations where account_id = p_account_id
  );
  delete from operations where account_id = p_account_id;
  delete from allowances where subscription_id = subscription;
  delete from api_keys where account_id = p_account_id;
  delete from subscriptions where id = subscription;
  delete from accounts where id = p_account_id;
  return settlements;
end $$;

CREATE FUNCTION public.delete_source_records(p_source_ids integer[], p_observation_ids bigint[]) RETURNS bigint[]
    LANGUAGE plpgsql
    AS $$
declare
  touched_companies bigint[] := array(
    select company_id from observations where id = any(p_observation_ids)
    union select company_id from company_external_ids where source_id = any(p_source_ids)
    union select company_id from company_names where source_id = any(p_source_ids)
    union select company_id from company_identifiers where source_id = any(p_source_ids)
  );
  domain_ids bigint[];
  orphaned_companies bigint[];
begin
  touched_companies := touched_companies || array(
    select merged_id from company_merges where kept_id = any(touched_companies)
  );
  domain_ids := array(
    select domain_id from company_domains where company_id = any(touched_companies)
    union select domain_id from observation_domains where observation_id = any(p_observation_ids)
  );
  delete from observation_embeddings where observation_id = any(p_observation_ids);
  delete from relisted_observations where observation_id = any(p_observation_ids);
  delete from observation_domains where observation_id = any(p_observation_ids);
  delete from evidence where observation_id = any(p_observation_ids);
  delete from observations where id = any(p_observation_ids);
  delete from company_join_names where source_id = any(p_source_ids);
  delete from company_external_ids where source_id = any(p_source_ids);
  delete from company_names where source_id = any(p_source_ids);
  delete from company_identifiers where source_id = any(p_source_ids);
  delete from hostname_refreshes where source_id = any(p_source_ids);
  delete from source_feeds where source_id = any(p_source_ids);
  orphaned_companies := array(
    select id from unnest(touched_companies) s (id)
    where not exists (select from observations o where o.company_id = s.id)
      and not exists (select from company_external_ids e where e.company_id = s.id)
      and not exists (select from company_names n where n.company_id = s.id)
      and not exists (select from company_identifiers i where i.company_id = s.id)
      and not exists (
        select from companies c where c.merged_into = s.id and c.id <> all(touched_companies)
      )
  );
  -- A company that another source knows stays, and is no longer merged into a deleted company.
  update companies set merged_into = null
  where merged_into = any(orphaned_companies) and id <> all(orphaned_companies);
  delete from company_merges
  where kept_id = any(orphaned_companies) or merged_id = any(orphaned_companies);
  update company_merges set source_id = null where source_id = any(p_source_ids);
  delete from company_domains where company_id = any(orphaned_companies);
  delete from companies where id = any(orphaned_companies);
  delete from domains d
  where d.id = any(domain_ids)
    and not exists (select from company_domains c where c.domain_id = d.id)
    and not exists (select from observation_domains o where o.domain_id = d.id)
    and not exists (select from relisted_observations r where r.domain_id = d.id);
  delete from sources where id = any(p_source_ids);
  return orphaned_companies;
end $$;

CREATE FUNCTION public.deliverable_entries(p_company_ids bigint[], p_places integer[], p_observation_ids bigint[], p_known text[], p_position integer, p_limit integer, p_filters jsonb, p_fresh_observation_ids bigint[], p_bodies boolean, p_hostnames boolean, p_page jsonb, p_moment text, p_expires_at timestamp with time zone, OUT entries jsonb, OUT next_position integer, OUT companies integer, OUT observations integer, OUT fresh integer, OUT shown json, OUT confirmed boolean, OUT confirmation json) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
  countries text[];
  kinds text[];
  demand_classes text[];
  company_ids bigint[];
  exclude_company_ids bigint[];
  domains text[];
  exclude_domains text[];
  occurred_after timestamptz;
  observed_after timestamptz;
  holder_ids bigint[];
  exclude_holder_ids bigint[];
  -- Number of entries to find. One more than the page size tells whether there is a next page.
  needed integer := coalesce(p_limit, cardinality(p_company_ids)) + 1;
  -- Number of entries to look up. Only the first observation of the last one is looked up.
  ahead integer := needed;
  first integer := width_bucket(p_position, p_places) + 1;
  last integer;
  -- Positions of the entries with observations that may be shown, and their number.
  entry_places integer[];
  filled integer;
  -- Names of the companies of the looked-up entries; null for a company that may not be shown.
  entry_names text[];
  -- Observations that may be shown, in parallel lists.
  lines integer[];
  shown_places integer[];
  shown_ids bigint[];
  shown_company_ids bigint[];
  shown_names text[];
  revisions text[];
  known text[];
  lacking bigint[];
  earliest_expiry timestamptz;
  -- Index of the last observation of a foreseen page in the parallel lists.
  page_last integer;
  moment text := case when p_page is not null then dataset_moment() end;
  -- True if nothing was written and nothing has expired since the page was confirmed.
  unchanged boolean;
begin
  unchanged := coalesce(p_filters is null and moment = p_moment, false)
    and coalesce(p_expires_at > now(), true);
  if p_filters is not null then
    -- An empty list is no restriction.
    select
      nullif(f.countries, '{}'),
      nullif(f.kinds, '{}'),
      nullif(f.demand_classes, '{}'),
      nullif(f.company_ids, '{}'),
      nullif(f.exclude_company_ids, '{}'),
      nullif(f.domains, '{}'),
      nullif(f.exclude_domains, '{}'),
      f.occurred_after,
      f.observed_after
    into
      countries,
      kinds,
      demand_classes,
      company_ids,
      exclude_company_ids,
      domains,
      exclude_domains,
      occurred_after,
      observed_after
    from jsonb_to_record(p_filters) as f (
      countries text[],
      kinds text[],
      demand_classes text[],
      company_ids bigint[],
      exclude_company_ids bigint[],
      domains text[],
      exclude_domains text[],
      occurred_after timestamptz,
      observed_after timestamptz
    );
  end if;
  -- This is a separate statement, so that a search without hostnames does not plan the view of
  -- hostnames.
  if domains is not null then
    holder_ids := array(
      select distinct d.company_id from deliverable_domains d
      where d.company_id = any(p_company_ids) and d.hostname = any(domains)
    );
  end if;
  if exclude_domains is not null then
    exclude_holder_ids := array(
      select distinct d.company_id from deliverable_domains d
      where d.company_id = any(p_company_ids) and d.hostname = any(exclude_domains)
    );
  end if;
  -- In most cases, all entries are deliverable, so the first lookup suffices. Otherwise further
  -- entries are looked up.
  loop
    last := least(width_bucket(p_position + ahead - 1, p_places) + 1, cardinality(p_places));
    if not unchanged then
      entry_names := array(
        select c.name
        from unnest(p_company_ids[p_position + 1:p_position + ahead])
          with ordinality e (company_id, line)
        left join shown_companies c on c.id = e.company_id
        order by e.line
      );
      select array_agg(r.line), array_agg(r.revision), min(r.expires_at)
      into lines, revisions, earliest_expiry
      from (
        select ranked.line, o.revision, o.expires_at
        from (
          select
            first - 1 + n.line as line,
            n.id,
            p_company_ids[n.place] as company_id,
            entry_names[n.place - p_position] as company_name
          from unnest(p_places[first:last], p_observation_ids[first:last])
            with ordinality n (place, id, line)
        ) ranked
        cross join lateral (
          select
            observation_revision(o.change_seq, o.last_seen_at) as revision,
            o.expires_at
          from standing_observations o
          where o.id = ranked.id
            and o.company_id = ranked.company_id
            and (countries is null or o.country = any(countries))
            and (kinds is null or o.kind = any(kinds))
            and (demand_classes is null or o.demand_class = any(demand_classes))
            and (occurred_after is null or o.occurred_at > occurred_after)
            and (observed_after is null or o.observed_at > observed_after)
          offset 0
        ) o
        where (company_ids is null or ranked.company_id = any(company_ids))
          and (exclude_company_ids is null or ranked.company_id <> all(exclude_company_ids))
          and (holder_ids is null or ranked.company_id = any(holder_ids))
          and (exclude_holder_ids is null or ranked.company_id <> all(exclude_holder_ids))
          and ranked.company_name is not null
        order by ranked.line
      ) r;
    end if;
    -- In most cases, the page may be shown exactly as the process knows it. Only a first page is
    -- foreseen, so its lines are the first ones of the lists.
    if p_page is not null then
      page_last := least(width_bucket(p_limit, p_places), last);
      confirmed := unchanged or (
        cardinality(lines) = last - first + 1
        and revisions[:page_last] = p_known[:page_last]
      );
    end if;
    if confirmed then
      entries := p_page;
      observations := page_last;
      fresh := 0;
      filled := p_places[page_last];
      if page_last < last then next_position := filled; end if;
      select count(distinct e.company_id) into companies
      from unnest(p_company_ids[:filled]) e (company_id);
      if not unchanged then
        confirmation := json_build_object(
          'moment', moment,
          'expires_at', nullif(earliest_expiry, 'infinity'),
          'company_names', entry_names[:filled]
        );
      end if;
      return;
    end if;
    select
      array_agg(p_places[l.line] order by l.line),
      array_agg(p_observation_ids[l.line] order by l.line),
      array_agg(p_company_ids[p_places[l.line]] order by l.line),
      array_agg(entry_names[p_places[l.line] - p_position] order by l.line),
      array_agg(p_known[l.line] order by l.line)
    into shown_places, shown_ids, shown_company_ids, shown_names, known
    from unnest(lines) l (line);
    -- This is a separate statement, because a distinct aggregate also changes the row order of
    -- other aggregates.
    entry_places := array(select distinct p.place from unnest(shown_places) p (place) order by 1);
    filled := cardinality(entry_places);
    exit when filled >= needed or last >= cardinality(p_places);
    ahead := 3 * ahead;
  end loop;
  if filled > p_limit then
    next_position := entry_places[p_limit];
    last := width_bucket(next_position, shown_places);
    shown_places := shown_places[:last];
    shown_ids := shown_ids[:last];
    shown_company_ids := shown_company_ids[:last];
    shown_names := shown_names[:last];
    revisions := revisions[:last];
    known := known[:last];
  end if;
  select coalesce(jsonb_agg(e.entry), '[]') into entries
  from (
    select
      jsonb_build_object('company_id', p.company_id, 'observation_ids', array_agg(p.id)) as entry
    from unnest(shown_places, shown_company_ids, shown_ids) p (place, company_id, id)
    group by p.place, p.company_id
    order by p.place
  ) e;
  select count(distinct p.company_id) into companies from unnest(shown_company_ids) p (company_id);
  observations := coalesce(cardinality(shown_ids), 0);
  fresh := 0;
  if p_fresh_observation_ids <> '{}' then
    select count(distinct p.id) into fresh
    from unnest(shown_ids) p (id)
    where p.id = any(p_fresh_observation_ids);
  end if;
  if p_bodies and known is distinct from revisions then
    select array_agg(p.id) into lacking
    from unnest(shown_ids, revisions, known) p (id, revision, known)
    where p.known is distinct from p.revision;
  end if;
  shown :=
    shown_json(shown_ids, shown_company_ids, shown_names, revisions, lacking, p_hostnames);
end $$;

CREATE FUNCTION public.differing_scheme(p_one bigint, p_other bigint) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return (
    select min(i.scheme) from company_identifiers i
    join company_identifiers j on j.company_id = p_other and j.scheme = i.scheme
    where i.company_id = p_one and i.value <> j.value
  );
end $$;

CREATE TABLE public.company_join_names (
    join_name text NOT NULL,
    source_id integer NOT NULL,
    external_id text NOT NULL,
    legal_form text NOT NULL,
    is_current boolean NOT NULL,
    is_ordinary boolean NOT NULL,
    places text[] NOT NULL,
    sectors text[] NOT NULL,
    likely_sectors text[] NOT NULL
);

CREATE FUNCTION public.differs(m public.company_join_names, k public.company_join_names) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  select (m.legal_form <> '' and k.legal_form <> '' and m.legal_form <> k.legal_form)
    or (m.sectors <> '{}' and k.sectors <> '{}' and not m.sectors && k.sectors)
$$;

CREATE FUNCTION public.end_leases() RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  o operations;
  ended integer := 0;
begin
  for o in select * from operations where status = 'processing' for update loop
    perform note_overtaken(o.message_id, o.lease_token);
    update operations set status = 'pending', lease_token = null, lease_expires_at = null
    where id = o.id;
    perform queue_operation(o, 0);
    ended := ended + 1;
  end loop;
  update source_feeds set lease_token = null, leased_until = null where lease_token is not null;
  update embedding_models set lease_token = null, leased_until = null
  where lease_token is not null;
  update semantic_learning set leased_until = '-infinity' where leased_until > '-infinity';
  return ended;
end $$;

CREATE FUNCTION public.entry_filters(o public.operations) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
    AS $$
begin
  if o.shows_hostnames is null then
    return coalesce(o.inputs -> 'filters', o.inputs - 'domains');
  end if;
  return o.filters;
end $$;

CREATE FUNCTION public.exact_instant(at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
$$;

CREATE FUNCTION public.expire_operation(p_operation_id bigint, p_at timestamp with time zone) RETURNS public.operations
    LANGUAGE plpgsql
    AS $$
declare
  unfinished boolean;
  o operations;
begin
  select * into strict o from operations where id = p_operation_id for update;
  if o.status not in ('pending', 'processing', 'delivered') then return o; end if;
  unfinished := o.finished_at is null;
  delete from shortlists where operation_id = o.id;
  update operations set
    status = 'expired',
    finished_at = coalesce(finished_at, p_at),
    lease_token = null,
    lease_expires_at = null,
    inputs = null,
    result = null,
    next_cursor = null,
    next_position = null
  where id = o.id
  returning * into o;
  if unfinished then
    if o.message_id is not null then perform pgmq.delete('operations', o.message_id); end if;
    perform release_units(o);
  end if;
  return o;
end $$;

CREATE FUNCTION public.fail_operation(p_operation_id bigint, p_lease uuid, p_code text, p_now timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  at timestamptz := coalesce(p_now, now());
  o operations;
begin
  update operations set
    status = 'failed',
    finished_at = at,
    lease_token = null,
    lease_expires_at = null,
    failure_code = p_code,
    -- The inputs are no longer needed, except by an operator who examines an archived message.
    inputs = case when p_lease is null then inputs end
  where id = p_operation_id
    and status in ('pending', 'processing')
    and (p_lease is null or lease_token = p_lease)
  returning * into o;
  if not found then return false; end if;
  if p_lease is null then
    perform pgmq.archive('operations', o.message_id);
  elsif o.message_id is not null then
    perform pgmq.delete('operations', o.message_id);
  end if;
  perform release_units(o);
  return true;
end $$;

CREATE FUNCTION public.fail_refresh(p_feed_id integer, p_lease uuid, p_error text, p_retry_at timestamp with time zone, p_keep_checkpoint boolean, p_now timestamp with time zone) RETURNS boolean
    LANGUAGE sql
    AS $$
  with failed as (
    update source_feeds f set
      lease_token = null,
      leased_until = null,
      failures = f.failures + 1,
      due_at = greatest(
        at + least(
          interval '60 s' * 2 ^ least(f.failures, 20),
          greatest(f.refresh_interval, least(f.refresh_interval * 16, interval '7 days'))
        ),
        case when p_retry_at is not null then least(p_retry_at, at + interval '1 day') end
      ),
      last_outcome = 'failed',
      last_error = p_error,
      -- A part of the answer may already be recorded, so the next request must not be answered with
      -- "unchanged".
      validators = null,
      run_started_at = case when p_keep_checkpoint then f.run_started_at end,
      seen_after = case when p_keep_checkpoint then f.seen_after end,
      checkpoint = case when p_keep_checkpoint then f.checkpoint end
    from coalesce(p_now, now()) at
    where f.id = p_feed_id and f.lease_token = p_lease
    returning f.id
  )
  select exists (select from failed)
$$;

CREATE FUNCTION public.fill_search_tables(p_lease uuid, p_set text) RETURNS boolean
    LANGUAGE sql
    AS $$
  with begun as (
    update search_tables set filling = p_set where lease_token = p_lease returning only_row
  )
  select exists (select from begun)
$$;

CREATE FUNCTION public.find_caller(p_key_hash bytea, p_at timestamp with time zone) RETURNS SETOF public.caller
    LANGUAGE sql STABLE
    AS $$
  select * from caller_of_key(p_key_hash, p_at) c where c.account_id is not null
$$;

CREATE FUNCTION public.finish_refresh(p_feed_id integer, p_lease uuid, p_outcome text, p_listed_prefix text, p_counts jsonb, p_validators jsonb, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  at timestamptz := coalesce(p_now, now());
  clock record;
  feed source_feeds;
  present_ids bigint[];
  missing_ids bigint[] := '{}';
  suspicious boolean := false;
  again boolean;
  gone integer := 0;
begin
  -- The clock is locked before the feed's row, because every writer locks the clock first.
  if p_listed_prefix is not null then clock := advance_dataset_clock(); end if;
  select * into feed from source_feeds
  where id = p_feed_id and lease_token = p_lease
  for update;
  if not found then return null; end if;

  if p_listed_prefix is not null then
    select
      coalesce(array_agg(o.id), '{}'),
      coalesce(
        array_agg(o.id)
          filter (where greatest(o.recorded_at, o.last_seen_at) <= feed.seen_after),
        '{}'
      )
    into present_ids, missing_ids
    from observations o
    where o.source_id = feed.source_id
      and starts_with(o.external_id, p_listed_prefix)
      and o.gone_at is null
      and o.withdrawn_at is null
      and (o.expires_at is null or o.expires_at > at);
    if p_outcome = 'not_modified' then
      missing_ids := '{}';
      update observations set last_seen_at = clock.recorded_at where id = any(present_ids);
    end if;
    suspicious := not feed.believed
      and cardinality(missing_ids) * 2 > cardinality(present_ids)
      and (cardinality(missing_ids) > 20 or (p_counts->>'rejected')::integer > 0);
    if not suspicious then
      update observations set gone_at = at, change_seq = clock.change_seq
      where id = any(missing_ids);
      gone := cardinality(missing_ids);
    end if;
  end if;

  -- True if an operator has requested a complete read during this run.
  again := feed.due_at > feed.last_started_at;
  update source_feeds set
    lease_token = null,
    leased_until = null,
    due_at = case when again then due_at else at + refresh_interval end,
    -- After a suspicious run, the next run must read everything again.
    validators = case when not suspicious and not again then p_validators end,
    run_started_at = null,
    seen_after = null,
    checkpoint = null,
    believed = believed and (again or p_outcome = 'not_modified'),
    failures = 0,
    last_succeeded_at = at,
    last_outcome = case when suspicious then 'suspicious' else p_outcome end,
    last_error = case when suspicious then format(
      '%s of %s records were missing: too many to believe',
      cardinality(missing_ids),
      cardinality(present_ids)
    ) end,
    last_counts = case when p_outcome = 'not_modified' then last_counts
      else p_counts || jsonb_build_object('gone', gone)
    end
  where id = feed.id
  returning last_outcome into p_outcome;
  return json_build_object('outcome', p_outcome, 'gone', gone);
end $$;

CREATE FUNCTION public.follow_merges(p_merged_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  merge company_merges;
begin
  for merge in
    select * from company_merges m where m.merged_at >= p_merged_at order by m.id
  loop
    with moved as (
      update observations o set company_id = merge.kept_id
      where o.company_id = merge.merged_id
      returning o.id
    )
    update company_merges m set observation_ids = array(
      select unnest(merge.observation_ids) union select id from moved order by 1
    )
    where m.id = merge.id;
  end loop;
end $$;

CREATE FUNCTION public.follow_splits(p_undone_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  merge company_merges;
begin
  for merge in
    select * from company_merges m where m.undone_at = p_undone_at order by m.id
  loop
    update observations o set company_id = x.company_id
    from company_external_ids x
    where o.company_id = merge.kept_id and o.company_external_id is not null
      and x.source_id = o.source_id and x.external_id = o.company_external_id
      and x.company_id <> o.company_id;
    perform return_domains(merge);
  end loop;
end $$;

CREATE FUNCTION public.forget_expired(p_name text, p_format integer, p_most integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  model embedding_models;
  ids bigint[];
  last timestamptz;
begin
  select * into model from embedding_models where name = p_name and format = p_format;
  -- The ten minutes exceed the time that a worker needs to store a page that it has already read.
  select array_agg(id order by expires_at, id), max(expires_at) into ids, last
  from (
    select o.id, o.expires_at from observations o
    where (o.expires_at, o.id) > (model.expired_at, model.expired_id)
      and o.expires_at < now() - interval '10 minutes'
    order by o.expires_at, o.id
    limit p_most
  ) expired;
  if ids is null then
    return 0;
  end if;
  update embedding_models m set
    stored_seq = m.stored_seq + 1,
    expired_at = last,
    expired_id = ids[cardinality(ids)]
  where m.id = model.id
    and (m.expired_at, m.expired_id) = (model.expired_at, model.expired_id)
  returning m.* into model;
  if not found then
    return 0;
  end if;
  -- The rows stay, so that replicas notice the deletion. Their content key is emptied, so that an
  -- observation is embedded again if it is revised to expire later.
  update observation_embeddings e set
    content_key = '',
    vector = null,
    scale = null,
    stored_seq = model.stored_seq
  from observations o
  where e.model_id = model.id
    and e.observation_id = any(ids)
    and e.vector is not null
    and o.id = e.observation_id
    and o.expires_at <= now();
  return cardinality(ids);
end $$;

CREATE FUNCTION public.forget_overtaken(p_lease uuid, p_operation_id bigint, p_reason text) RETURNS text
    LANGUAGE plpgsql
    AS $$
declare
  noted_id bigint;
begin
  if p_operation_id is null then
    select msg_id into noted_id from pgmq.q_operations
    where read_ct > 0 and message -> 'overtaken' ? p_lease::text;
  else
    select q.msg_id into noted_id
    from operations o
    join pgmq.q_operations q on q.msg_id = o.message_id
    where o.id = p_operation_id and q.message -> 'overtaken' ? p_lease::text;
  end if;
  if not found then return 'unknown'; end if;
  perform from pgmq.q_operations where msg_id = noted_id for update skip locked;
  if not found then return 'locked'; end if;
  update pgmq.q_operations set
    message = jsonb_set(message, '{overtaken}', (message -> 'overtaken') - p_lease::text),
    read_ct = greatest(read_ct - case when p_reason = 'failed' then 0 else 1 end, 0)
  where msg_id = noted_id and message -> 'overtaken' ? p_lease::text;
  return 'given_back';
end $$;

CREATE TABLE public.shortlists (
    operation_id bigint NOT NULL,
    body jsonb,
    facts jsonb,
    company_ids bigint[],
    places integer[],
    observation_ids bigint[],
    CONSTRAINT shortlists_form CHECK ((num_nonnulls(body, company_ids) = 1))
)
WITH (toast_tuple_target='8160');
ALTER TABLE ONLY public.shortlists ALTER COLUMN operation_id SET STATISTICS 10;
ALTER TABLE ONLY public.shortlists ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE ONLY public.shortlists ALTER COLUMN facts SET STATISTICS 0;
ALTER TABLE ONLY public.shortlists ALTER COLUMN company_ids SET STATISTICS 0;
ALTER TABLE ONLY public.shortlists ALTER COLUMN company_ids SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.shortlists ALTER COLUMN places SET STATISTICS 0;
ALTER TABLE ONLY public.shortlists ALTER COLUMN places SET STORAGE EXTERNAL;
ALTER TABLE ONLY public.shortlists ALTER COLUMN observation_ids SET STATISTICS 0;
ALTER TABLE ONLY public.shortlists ALTER COLUMN observation_ids SET STORAGE EXTERNAL;

CREATE FUNCTION public.frozen_entries(s public.shortlists) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE
    AS $$
begin
  if s.company_ids is not null then return cardinality(s.company_ids); end if;
  return jsonb_array_length(s.body -> 'entries');
end $$;

CREATE FUNCTION public.frozen_page(s public.shortlists) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
begin
  if s.company_ids is null then return s.body; end if;
  return s.facts || jsonb_build_object('entries', (
    select jsonb_agg(e.entry)
    from (
      select jsonb_build_object(
        'company_id', s.company_ids[u.place], 'observation_ids', array_agg(u.id order by u.line)
      ) as entry
      from unnest(s.places, s.observation_ids) with ordinality u (place, id, line)
      group by u.place
      order by u.place
    ) e
  ));
end $$;

CREATE FUNCTION public.give_back_leases(p_leases jsonb, p_now timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
  at timestamptz := coalesce(p_now, now());
  l record;
  held_id bigint;
  o operations;
  outcomes jsonb := '{}';
begin
  for l in
    select r.lease, r.operation_id, r.reason
    from jsonb_to_recordset(p_leases) r (lease uuid, operation_id bigint, reason text)
  loop
    -- Each of the two statements finds its row by an index.
    if l.operation_id is null then
      select id into held_id from operations where status = 'processing' and lease_token = l.lease;
    else
      select id into held_id from operations
      where id = l.operation_id and status = 'processing' and lease_token = l.lease;
    end if;
    if not found then
      outcomes := outcomes
        || jsonb_build_object(l.lease, forget_overtaken(l.lease, l.operation_id, l.reason));
      continue;
    end if;
    -- A locked row is left to the next call, so that it does not delay the other leases.
    perform from operations where id = held_id for update skip locked;
    if not found then
      outcomes := outcomes || jsonb_build_object(l.lease, 'locked');
      continue;
    end if;
    update operations set status = 'pending', lease_token = null, lease_expires_at = null
    where id = held_id and status = 'processing' and lease_token = l.lease
    returning * into o;
    if not found then
      outcomes := outcomes || jsonb_build_object(l.lease, 'unknown');
      continue;
    end if;
    perform queue_operation(o, case l.reason
      when 'failed' then 2
      when 'unavailable' then back_off_seconds(o, at)
      else 0
    end);
    if l.reason <> 'failed' then perform uncount_read(o.message_id); end if;
    outcomes := outcomes || jsonb_build_object(l.lease, 'given_back');
  end loop;
  return outcomes;
end $$;

CREATE TABLE public.company_identifiers (
    scheme text NOT NULL,
    value text NOT NULL,
    company_id bigint NOT NULL,
    source_id integer NOT NULL,
    company_external_id text,
    CONSTRAINT company_identifiers_scheme_known CHECK ((scheme = ANY (ARRAY['cik'::text, 'lei'::text, 'uei'::text])))
);

CREATE FUNCTION public.gives(p_company_id bigint, p_identifier public.company_identifiers) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
  select exists (
    select from observations o
    where o.company_id = p_company_id
      and p_identifier.scheme || ':' || p_identifier.value = any(o.company_identifiers)
  )
$$;

CREATE FUNCTION public.hold_search_tables(p_lease uuid, p_seconds integer) RETURNS boolean
    LANGUAGE sql
    AS $$
  with held as (
    update search_tables set leased_until = clock_timestamp() + make_interval(secs => p_seconds)
    where lease_token = p_lease
    returning only_row
  )
  select exists (select from held)
$$;

CREATE FUNCTION public.holders(o public.operations) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return (
    select coalesce(json_object_agg(held.hostname, held.companies), '{}')
    from (
      select d.hostname, json_agg(cd.company_id) as companies
      from company_domains cd
      join domains d on d.id = cd.domain_id
      where cd.company_id in (
          select (entry ->> 'company_id')::bigint
          from jsonb_array_elements(o.result -> 'entries') entry
        )
        and exists (
          select from deliverable_domains s
          where s.domain_id = cd.domain_id and s.company_id = cd.company_id
          -- The offset ends the lookup at the first observation that supports the link.
          offset 0
        )
      group by d.hostname
    ) held
  );
end $$;

CREATE FUNCTION public.identify_company(p_source_id integer, p_external_id text, p_name text, p_normalized_name text, p_legal_form text, p_country text, p_hostnames text[], p_identifiers text[], p_supported text[], p_revised bigint[], OUT company_id bigint, OUT holders bigint[], OUT renamed bigint[], OUT apart bigint[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  last_name text;
begin
  holders := companies_of_identifiers(p_identifiers);
  renamed := '{}';
  apart := '{}';
  if p_external_id is not null then
    select x.company_id, x.name into company_id, last_name from company_external_ids x
    where x.source_id = p_source_id and x.external_id = p_external_id;
    if last_name <> p_name then
      update company_external_ids x set name = p_name
      where x.source_id = p_source_id and x.external_id = p_external_id;
      -- The name of a company that was merged into another does not rename the other.
      if not came_by_merge(company_id, 'external_ids', jsonb_build_object(
        'source_id', p_source_id, 'external_id', p_external_id
      )) then
        update companies c set name = p_name where c.id = company_id;
      end if;
      renamed := array[company_id];
    end if;
    -- An identifier that contradicts a join by name undoes the join.
    if company_id is not null and contradicts(company_id, p_identifiers) then
      apart := undo_joins_by_name(company_id);
      select x.company_id into company_id from company_external_ids x
      where x.source_id = p_source_id and x.external_id = p_external_id;
    end if;
  end if;
  if company_id is not null then return; end if;

  company_id := coalesce(
    holders[1],
    company_of_hostnames(
      p_source_id, p_external_id, p_identifiers, p_hostnames, p_supported, p_revised
    ),
    company_of_name(
      p_source_id, p_external_id, p_identifiers, p_normalized_name, p_legal_form, p_country
    )
  );
  if company_id is null then
    insert into companies (name) values (p_name) returning id into company_id;
  end if;
  if p_external_id is not null then
    insert into company_external_ids values (p_source_id, p_external_id, company_id, p_name);
  end if;
end $$;

CREATE FUNCTION public.index_documents(p_change_seq bigint, p_id bigint, p_limit integer) RETURNS TABLE(id bigint, change_seq bigint, company_id bigint, company_name text, kind text, observed_fact text, why_it_may_matter text, demand_class text, country text, occurred_at text, observed_at text, expires_at text, categories json, texts json, facets jsonb, hostnames json)
    LANGUAGE sql STABLE
    SET jit TO 'off'
    AS $$
  select *
  from index_rows(array(
    select o.id
    from observations o
    where (o.change_seq, o.id) > (p_change_seq, p_id)
    order by o.change_seq, o.id
    limit p_limit
  )) r
  order by r.change_seq, r.id
$$;

CREATE FUNCTION public.index_rows(p_ids bigint[]) RETURNS TABLE(id bigint, change_seq bigint, company_id bigint, company_name text, kind text, observed_fact text, why_it_may_matter text, demand_class text, country text, occurred_at text, observed_at text, expires_at text, categories json, texts json, facets jsonb, hostnames json)
    LANGUAGE sql STABLE
    SET jit TO 'off'
    AS $$
  select
    x.id,
    x.change_seq,
    o.company_id,
    o.company_name,
    o.kind,
    o.observed_fact,
    o.why_it_may_matter,
    o.demand_class,
    o.country,
    to_char(o.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    to_char(o.observed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    to_char(o.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    to_json(o.categories),
    -- The texts may repeat a withdrawn excerpt. If an excerpt is withdrawn, the remaining excerpts
    -- replace the texts.
    (
      select case
        when x.texts <> '{}' and bool_and(e.withdrawn_at is null) then to_json(x.texts)
        else coalesce(json_agg(e.excerpt order by e.id) filter (where e.withdrawn_at is null), '[]')
      end
      from evidence e
      where e.observation_id = x.id
    ),
    x.facets,
    (
      select coalesce(json_agg((
        select d.hostname from domains d where d.id = od.domain_id
      ) order by od.domain_id), '[]')
      from observation_domains od
      where od.observation_id = x.id and (
        select cd.active
        from company_domains cd
        where cd.domain_id = od.domain_id and cd.company_id = o.company_id
      )
    )
  from unnest(p_ids) requested (id)
  cross join lateral (
    select o.id, o.change_seq, o.texts, o.facets
    from observations o where o.id = requested.id offset 0
  ) x
  left join lateral (
    select * from deliverable_observations d where d.id = x.id offset 0
  ) o on true
$$;

CREATE FUNCTION public.instant(at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$
  select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

CREATE FUNCTION public.is_entitled(p_status text, p_anchor timestamp with time zone, p_end timestamp with time zone, p_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  select (p_status = 'active' and p_anchor <= p_at) or (p_status = 'trialing' and p_at < p_end)
$$;

CREATE FUNCTION public.is_sound_allowance(a public.allowances) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
begin
  return least(
    a.window_request_units, a.window_delivered_units, a.window_fresh_evidence_units,
    a.window_reserved_request_units, a.window_reserved_delivered_units,
    a.week_request_units, a.week_delivered_units, a.week_fresh_evidence_units,
    a.week_reserved_request_units, a.week_reserved_delivered_units,
    a.reserved_request_units, a.reserved_delivered_units
  ) >= 0;
end $$;

CREATE FUNCTION public.is_sound_operation(o public.operations) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
begin
  return length(o.request_key) between 1 and 255 and o.request_key !~ '[^\x20-\x7e]'
    and o.request_units between 0 and o.reserved_request_units
    and o.delivered_units between 0 and o.reserved_delivered_units
    and o.fresh_evidence_units >= 0
    and (o.finished_at is null or o.lease_token is null)
    and (o.next_cursor is null or o.next_position is not null)
    -- Every state has its timestamp and what belongs to it. Delivered work that has expired keeps
    -- its units, and a tombstone keeps its key.
    and case o.status
      when 'pending' then o.lease_token is null and o.finished_at is null and o.inputs is not null
      when 'processing' then o.lease_token is not null and o.lease_expires_at is not null
        and o.finished_at is null and o.inputs is not null
      when 'delivered' then o.finished_at is not null and o.result is not null
        and o.request_units > 0
      when 'failed' then o.finished_at is not null and o.failure_code is not null
        and o.request_units = 0
      when 'expired' then o.finished_at is not null and o.result is null and o.inputs is null
      else false
    end;
end $$;

CREATE FUNCTION public.join_by_name(p_company_id bigint, p_mate_id bigint, p_joining jsonb, p_source_id integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
  merge_id bigint := move_company(
    least(p_company_id, p_mate_id),
    greatest(p_company_id, p_mate_id),
    left(format(
      'name and region agree: %s, %s',
      p_joining -> 'names' -> 0 ->> 'name', p_joining -> 'places' ->> 0
    ), 500),
    p_source_id
  );
begin
  update company_merges m set by_name = true where m.id = merge_id;
  return least(p_company_id, p_mate_id);
end $$;

CREATE FUNCTION public.join_companies(p_company_id bigint, p_holders bigint[], p_identifiers text[], p_source_id integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
  kept_id bigint := p_company_id;
  holder bigint;
  reason text;
begin
  if contradicts(p_company_id, p_identifiers) then
    return p_company_id;
  end if;
  foreach holder in array p_holders loop
    if holder not in (p_company_id, kept_id) and not stay_apart(kept_id, holder) then
      select string_agg(identifier, ' ' order by identifier) into reason
      from unnest(p_identifiers) identifier
      join company_identifiers i
        on i.scheme = split_part(identifier, ':', 1) and i.value = split_part(identifier, ':', 2)
      where i.company_id = holder;
      perform move_company(
        least(kept_id, holder), greatest(kept_id, holder), reason, p_source_id
      );
      kept_id := least(kept_id, holder);
    end if;
  end loop;
  return kept_id;
end $$;

CREATE FUNCTION public.join_mentioned(p_company_id bigint, p_holders bigint[], p_source_id integer, p_external_id text, p_identifiers text[], p_joining jsonb, OUT company_id bigint, OUT gone bigint[], OUT apart bigint[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  by_name record;
  concerned bigint[] := p_holders || p_company_id;
begin
  company_id := p_company_id;
  gone := '{}';
  apart := '{}';
  if p_holders <> '{}' and p_holders <> array[company_id] then
    company_id := join_companies(company_id, p_holders, p_identifiers, p_source_id);
  end if;
  if p_joining is not null then
    by_name := join_stated(company_id, p_source_id, p_external_id, p_identifiers, p_joining);
    company_id := by_name.joined_id;
    concerned := concerned || by_name.gone;
    apart := by_name.apart;
  end if;
  if cardinality(concerned) > 1 then
    gone := array(
      select c.id from companies c where c.id = any(concerned) and c.merged_into is not null
    );
  end if;
end $$;

CREATE FUNCTION public.join_stated(p_company_id bigint, p_source_id integer, p_external_id text, p_identifiers text[], p_joining jsonb, OUT joined_id bigint, OUT gone bigint[], OUT apart bigint[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  fitting bigint[];
  mate bigint;
begin
  joined_id := p_company_id;
  gone := '{}';
  apart := '{}';
  if p_external_id is null or p_joining is null
    or not keep_joining(p_source_id, p_external_id, p_joining)
  then
    return;
  end if;
  fitting := companies_by_name(p_company_id);
  if cardinality(fitting) = 1 then
    return;
  end if;
  if are_one_by_name(fitting, p_company_id, p_identifiers) then
    gone := fitting[2:];
    foreach mate in array gone loop
      joined_id := join_by_name(fitting[1], mate, p_joining, p_source_id);
    end loop;
  else
    foreach mate in array fitting loop
      apart := apart || undo_joins_by_name(mate);
    end loop;
    select x.company_id into joined_id from company_external_ids x
    where x.source_id = p_source_id and x.external_id = p_external_id;
  end if;
end $$;

CREATE FUNCTION public.join_unchanged(p_records jsonb, p_seen bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  stated record;
begin
  for stated in
    select distinct on (s.id, r.company_external_id, r.joining)
      s.id as source_id, r.company_external_id, r.joining,
      coalesce(r.company_identifiers, '{}') as identifiers
    from jsonb_to_recordset(p_records) r (
      source text, external_id text, company_external_id text, company_identifiers text[],
      joining jsonb
    )
    join sources s on s.name = r.source
    cross join lateral (
      select o.id from observations o
      where o.source_id = s.id and o.external_id = r.external_id
      offset 0
    ) o
    where jsonb_typeof(r.joining) = 'object' and o.id = any(p_seen)
      and not exists (
        select from company_join_names k
        where k.join_name = r.joining #>> '{names,0,name}'
          and k.source_id = s.id and k.external_id = r.company_external_id
      )
  loop
    perform join_stated(
      x.company_id, stated.source_id, stated.company_external_id, stated.identifiers,
      stated.joining
    )
    from company_external_ids x
    where x.source_id = stated.source_id and x.external_id = stated.company_external_id;
  end loop;
end $$;

CREATE FUNCTION public.keep_joining(p_source_id integer, p_external_id text, p_joining jsonb) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  stated record;
  places text[] := array(select jsonb_array_elements_text(p_joining -> 'places'));
  sectors text[] := array(select jsonb_array_elements_text(p_joining -> 'sectors'));
  likely text[] := array(select jsonb_array_elements_text(p_joining -> 'likely_sectors'));
  shared boolean := false;
begin
  for stated in
    select * from jsonb_to_recordset(p_joining -> 'names')
      m (name text, form text, is_current boolean, is_ordinary boolean)
  loop
    insert into company_join_names as k
    values (
      stated.name, p_source_id, p_external_id, stated.form, stated.is_current, stated.is_ordinary,
      places, sectors, likely
    )
    on conflict (join_name, source_id, external_id) do update set
      legal_form = coalesce(nullif(excluded.legal_form, ''), k.legal_form),
      is_current = k.is_current or excluded.is_current,
      is_ordinary = k.is_ordinary or excluded.is_ordinary,
      places = united(k.places, excluded.places),
      sectors = united(k.sectors, excluded.sectors),
      likely_sectors = united(k.likely_sectors, excluded.likely_sectors);
    shared := shared or exists (
      select from company_join_names k
      where k.join_name = stated.name
        and (k.source_id <> p_source_id or k.external_id <> p_external_id)
    );
  end loop;
  return shared;
end $$;

CREATE FUNCTION public.keep_joinings(p_source_ids integer[], p_external_ids text[], p_joinings jsonb[]) RETURNS void
    LANGUAGE sql
    AS $$
  insert into company_join_names
  select
    n.name, j.source_id, j.external_id, n.form, n.is_current, n.is_ordinary,
    s.places, s.sectors, s.likely_sectors
  from unnest(p_source_ids, p_external_ids, p_joinings) j (source_id, external_id, joining)
  cross join lateral jsonb_to_record(j.joining)
    s (names jsonb, places text[], sectors text[], likely_sectors text[])
  cross join lateral jsonb_to_recordset(s.names)
    n (name text, form text, is_current boolean, is_ordinary boolean)
$$;

CREATE FUNCTION public.keep_mentioned(p_company_id bigint, p_source_id integer, p_external_id text, p_normalized_name text, p_legal_form text, p_country text, p_hostnames text[], p_identifiers text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  if p_identifiers <> '{}' then
    insert into company_identifiers
    select split_part(i, ':', 1), split_part(i, ':', 2), p_company_id, p_source_id, p_external_id
    from unnest(p_identifiers) i
    on conflict do nothing;
  end if;
  insert into company_names (source_id, normalized_name, legal_form, country, company_id)
  values (p_source_id, p_normalized_name, p_legal_form, p_country, p_company_id)
  on conflict do nothing;
  if p_hostnames <> '{}' then
    insert into domains (hostname)
    select h from unnest(p_hostnames) h
    where not exists (select from domains d where d.hostname = h);
    insert into company_domains (domain_id, company_id)
    select d.id, p_company_id from domains d where d.hostname = any(p_hostnames)
    on conflict do nothing;
  end if;
end $$;

CREATE FUNCTION public.kept_company(p_company_id bigint) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
declare
  kept bigint := p_company_id;
  further bigint;
begin
  loop
    select c.merged_into into further from companies c where c.id = kept;
    if further is null then return kept; end if;
    kept := further;
  end loop;
end $$;

CREATE FUNCTION public.knows_joining(p_source_id integer, p_external_id text, p_joining jsonb) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
declare
  stated company_join_names;
begin
  if p_joining is null or p_external_id is null then
    return true;
  end if;
  stated.places := array(select jsonb_array_elements_text(p_joining -> 'places'));
  stated.sectors := array(select jsonb_array_elements_text(p_joining -> 'sectors'));
  stated.likely_sectors := array(select jsonb_array_elements_text(p_joining -> 'likely_sectors'));
  return not exists (
    select from jsonb_to_recordset(p_joining -> 'names')
      m (name text, form text, is_current boolean)
    where not exists (
      select from company_join_names k
      where k.join_name = m.name and k.source_id = p_source_id and k.external_id = p_external_id
        and (k.legal_form = m.form or m.form = '') and (k.is_current or not m.is_current)
        and k.places @> stated.places and k.sectors @> stated.sectors
        and k.likely_sectors @> stated.likely_sectors
    )
  );
end $$;

CREATE FUNCTION public.last_version_answer(p_answer json) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
begin
  if p_answer -> 'operation' is null then return p_answer; end if;
  return p_answer::jsonb - 'shown' || jsonb_build_object('observations', case
    when json_typeof(p_answer -> 'shown') = 'object' then last_version_rows(p_answer -> 'shown')
  end);
end $$;

CREATE FUNCTION public.last_version_rows(p_shown json) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return (
    select coalesce(jsonb_agg(
      (p_shown -> 'bodies' ->> i.id)::jsonb || jsonb_build_object(
        'id', i.id::bigint,
        'company_id', p_shown -> 'company_ids' -> (i.place - 1)::integer,
        'company_name', p_shown -> 'company_names' -> (i.place - 1)::integer,
        'domains', p_shown -> 'hostnames' -> i.id
      ) order by i.place
    ), '[]')
    from json_array_elements_text(p_shown -> 'ids') with ordinality i (id, place)
  );
end $$;

CREATE TABLE public.companies (
    id bigint NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    suppressed_at timestamp with time zone,
    merged_into bigint,
    CONSTRAINT companies_merged_elsewhere CHECK ((merged_into <> id)),
    CONSTRAINT companies_name_length CHECK (((length(name) >= 1) AND (length(name) <= 300)))
);

CREATE TABLE public.evidence (
    id bigint NOT NULL,
    observation_id bigint NOT NULL,
    source_uri text NOT NULL,
    excerpt text NOT NULL,
    occurred_at timestamp with time zone,
    observed_at timestamp with time zone NOT NULL,
    withdrawn_at timestamp with time zone,
    CONSTRAINT evidence_excerpt_length CHECK ((length(excerpt) <= 600))
);

CREATE TABLE public.observations (
    id bigint NOT NULL,
    source_id integer NOT NULL,
    external_id text NOT NULL,
    company_id bigint NOT NULL,
    kind text NOT NULL,
    observed_fact text NOT NULL,
    why_it_may_matter text NOT NULL,
    demand_class text NOT NULL,
    country text NOT NULL,
    confidence double precision NOT NULL,
    occurred_at timestamp with time zone,
    observed_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    categories text[] DEFAULT '{}'::text[] NOT NULL,
    content_hash bytea NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone,
    withdrawn_at timestamp with time zone,
    change_seq bigint NOT NULL,
    company_external_id text,
    gone_at timestamp with time zone,
    company_identifiers text[],
    texts text[] DEFAULT '{}'::text[] NOT NULL,
    facets jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT observations_categories_count CHECK ((cardinality(categories) <= 100)),
    CONSTRAINT observations_confidence_range CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT observations_country_known CHECK ((country = ANY (ARRAY['CA'::text, 'US'::text]))),
    CONSTRAINT observations_demand_class_known CHECK ((demand_class = ANY (ARRAY['explicit_request'::text, 'proxy'::text, 'structural'::text]))),
    CONSTRAINT observations_event_time CHECK (((occurred_at IS NOT NULL) OR (kind = 'company_profile'::text))),
    CONSTRAINT observations_kind_known CHECK ((kind = ANY (ARRAY['procurement_request'::text, 'facility_expansion'::text, 'funding_round'::text, 'leadership_change'::text, 'product_launch'::text, 'partnership'::text, 'technology_use'::text, 'job_posting'::text, 'company_profile'::text])))
)
WITH (fillfactor='90');

CREATE VIEW public.shown_companies AS
 SELECT c.id,
    c.name
   FROM public.companies c
  WHERE (c.suppressed_at IS NULL);

CREATE TABLE public.sources (
    id integer NOT NULL,
    name text NOT NULL,
    permitted boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    hostname_refresh_interval interval,
    address text,
    asked_in_searches boolean DEFAULT false NOT NULL,
    CONSTRAINT sources_hostname_refresh_interval_positive CHECK ((hostname_refresh_interval > '00:00:00'::interval)),
    CONSTRAINT sources_name_length CHECK (((length(name) >= 1) AND (length(name) <= 255)))
);

CREATE VIEW public.standing_observations AS
 SELECT o.id,
    o.source_id,
    o.company_id,
    o.kind,
    o.observed_fact,
    o.why_it_may_matter,
    o.demand_class,
    o.country,
    o.confidence,
    o.occurred_at,
    o.observed_at,
    o.expires_at,
    o.categories,
    o.recorded_at,
    o.last_seen_at,
    o.change_seq
   FROM public.observations o
  WHERE ((o.source_id <> ALL (ARRAY( SELECT s.id
           FROM public.sources s
          WHERE (NOT s.permitted)))) AND (o.withdrawn_at IS NULL) AND (o.gone_at IS NULL) AND ((o.expires_at IS NULL) OR (o.expires_at > now())) AND (EXISTS ( SELECT
           FROM public.evidence e
          WHERE ((e.observation_id = o.id) AND (e.withdrawn_at IS NULL)))));

CREATE VIEW public.deliverable_observations AS
 SELECT o.id,
    o.source_id,
    o.company_id,
    c.name AS company_name,
    o.kind,
    o.observed_fact,
    o.why_it_may_matter,
    o.demand_class,
    o.country,
    o.confidence,
    o.occurred_at,
    o.observed_at,
    o.expires_at,
    o.categories,
    o.recorded_at,
    o.last_seen_at,
    o.change_seq
   FROM (public.standing_observations o
     JOIN public.shown_companies c ON ((c.id = o.company_id)));

CREATE FUNCTION public.latest_deliverable(p_company_id bigint) RETURNS SETOF public.deliverable_observations
    LANGUAGE sql STABLE
    AS $$
  select o.*
  from deliverable_observations o
  where o.company_id = p_company_id
  order by o.occurred_at desc nulls last, o.observed_at desc, o.id desc
  limit 3
$$;

CREATE FUNCTION public.latest_observations(p_company_id bigint) RETURNS bigint[]
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return array(select o.id from latest_deliverable(p_company_id) o);
end $$;

CREATE FUNCTION public.lease_feed(p_sources text[], p_lease uuid, p_lease_seconds integer, p_now timestamp with time zone) RETURNS json
    LANGUAGE sql
    AS $$
  with due as (
    select f.id, coalesce(p_now, now()) as at
    from source_feeds f
    join sources s on s.id = f.source_id
    where s.permitted
      and s.name = any(p_sources)
      and f.due_at <= coalesce(p_now, now())
      and (f.leased_until is null or f.leased_until <= coalesce(p_now, now()))
    order by f.due_at, f.id
    limit 1
    for update of f skip locked
  ), judged as (
    select
      due.*,
      f.checkpoint is not null
        and f.run_started_at > due.at - least(f.refresh_interval, interval '1 day') as resumed
    from due
    join source_feeds f using (id)
  ), leased as (
    update source_feeds f set
      lease_token = p_lease,
      leased_until = j.at + make_interval(secs => p_lease_seconds),
      last_started_at = j.at,
      run_started_at = case when j.resumed then f.run_started_at else j.at end,
      seen_after = case when j.resumed then f.seen_after else clock.recorded_at end,
      checkpoint = case when j.resumed then f.checkpoint end
    from judged j, dataset_clock clock
    where f.id = j.id
    returning f.*
  )
  select json_build_object(
    'feed_id', f.id,
    'source', s.name,
    'address', s.address,
    'target', nullif(f.target, ''),
    'company', f.company,
    'validators', f.validators,
    'checkpoint', f.checkpoint
  )
  from leased f
  join sources s on s.id = f.source_id
$$;

CREATE FUNCTION public.lease_operation(p_message_id bigint, p_read_count integer, p_operation_id bigint, p_lease uuid, p_lease_seconds integer, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  at timestamptz := coalesce(p_now, now());
  o operations;
  frozen jsonb;
begin
  select * into o from operations where id = p_operation_id for update skip locked;
  if not found then
    select * into o from operations where id = p_operation_id;
    if found then
      perform pgmq.set_vt('operations', p_message_id, back_off_seconds(o, at));
      perform uncount_read(p_message_id);
      return json_build_object('outcome', 'postponed');
    end if;
    perform pgmq.archive('operations', p_message_id);
    return json_build_object('outcome', 'missing');
  end if;
  if o.finished_at is not null or o.message_id is distinct from p_message_id then
    perform pgmq.delete('operations', p_message_id);
    return json_build_object('outcome', 'finished');
  end if;
  if o.status = 'processing' and o.lease_expires_at > at then
    perform pgmq.set_vt('operations', p_message_id,
      greatest(1, ceil(extract(epoch from o.lease_expires_at - at)))::integer);
    -- The message became visible before the lease ended. The work has not failed.
    perform uncount_read(p_message_id);
    return json_build_object('outcome', 'busy');
  end if;
  -- Every function that ends an operation locks the allowance's row. If another transaction has
  -- locked the row, the worker gives up after 250 ms.
  if not lock_allowance(o.subscription_id) then
    perform pgmq.set_vt('operations', p_message_id, back_off_seconds(o, at));
    perform uncount_read(p_message_id);
    perform postpone_messages(o.subscription_id, back_off_seconds(o, at));
    return json_build_object('outcome', 'postponed');
  end if;
  if p_read_count > 5 then
    perform fail_operation(o.id, null, 'usage_failed', at);
    return json_build_object('outcome', 'poison');
  end if;
  select frozen_page(s) into frozen from shortlists s where operation_id = o.shortlist_id;
  -- A page without its shortlist cannot be delivered, because shortlists are not ranked again.
  if o.deadline_at <= at or (o.shortlist_id is not null and frozen is null) then
    perform expire_operation(o.id, at);
    return json_build_object('outcome', 'finished');
  end if;
  if o.status = 'processing' then perform note_overtaken(p_message_id, o.lease_token); end if;
  update operations set
    status = 'processing',
    lease_token = p_lease,
    lease_expires_at = at + make_interval(secs => p_lease_seconds)
  where id = o.id
  returning * into o;
  -- The message stays hidden as long as the lease lasts. Otherwise another worker would read it,
  -- and find the operation busy.
  perform pgmq.set_vt('operations', p_message_id, p_lease_seconds + 1);
  return json_build_object(
    'outcome', 'leased',
    'operation_id', o.id,
    'account_id', o.account_id,
    'action', o.action,
    'inputs', o.inputs,
    'shortlist', frozen
  );
end $$;

CREATE FUNCTION public.limit_excerpts() RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  if exists (select from pg_constraint c where c.conname = 'evidence_excerpt_length') then
    return true;
  end if;
  if exists (select from evidence e where length(e.excerpt) > 600) then
    return false;
  end if;
  alter table evidence
    add constraint evidence_excerpt_length check (length(excerpt) <= 600) not valid;
  return true;
end $$;

CREATE FUNCTION public.list_merges(p_limit integer) RETURNS json
    LANGUAGE sql STABLE
    AS $$
  select coalesce(json_agg(merge_report(m) order by m.id desc), '[]')
  from (select * from company_merges order by id desc limit p_limit) m
$$;

CREATE FUNCTION public.list_observations(p_hostnames text[], p_kinds text[], p_after timestamp with time zone, p_after_id bigint, p_until timestamp with time zone, p_limit integer) RETURNS json
    LANGUAGE sql STABLE
    AS $$
  with reached as materialized (
    select least(c.recorded_at, p_until) as until from dataset_clock c
  ), holders as materialized (
    select d.hostname, cd.domain_id, cd.company_id
    from domains d
    join company_domains cd on cd.domain_id = d.id
    -- The offset ends the lookup at the first observation that supports the link.
    where d.hostname = any(p_hostnames) and exists (
      select from deliverable_domains s
      where s.domain_id = cd.domain_id and s.company_id = cd.company_id
      offset 0
    )
  ), early as (
    select o.*
    from (select distinct company_id from holders) c
    cross join reached
    cross join lateral (
      select o.id, o.company_id, o.recorded_at
      from deliverable_observations o
      where o.company_id = c.company_id
        and (o.recorded_at, o.id) > (p_after, p_after_id)
        and o.recorded_at <= reached.until
        and (p_kinds = '{}' or o.kind = any(p_kinds))
        and exists (
          select from holders h
          where h.company_id = o.company_id and not exists (
            select from relisted_observations r
            where r.domain_id = h.domain_id
              and r.observation_id = o.id
              and r.recorded_at > o.recorded_at
          )
        )
      order by o.recorded_at, o.id
      limit p_limit + 1
    ) o
  ), late as (
    select l.*
    from holders h
    cross join reached
    cross join lateral (
      select o.id, o.company_id, r.recorded_at
      from (
        select * from relisted_observations a
        where a.domain_id = h.domain_id
          and (a.recorded_at, a.observation_id) > (p_after, p_after_id)
          and a.recorded_at <= reached.until
        order by a.recorded_at, a.observation_id
        offset 0
      ) r
      -- The rows are sorted before the lookups, so that the limit ends the lookups.
      cross join lateral (
        select * from deliverable_observations d where d.id = r.observation_id offset 0
      ) o
      where o.company_id = h.company_id
        and r.recorded_at > o.recorded_at
        and (p_kinds = '{}' or o.kind = any(p_kinds))
        and not exists (
          select from holders sooner
          left join relisted_observations s
            on s.domain_id = sooner.domain_id and s.observation_id = o.id
          where sooner.company_id = o.company_id
            and greatest(s.recorded_at, o.recorded_at) < r.recorded_at
        )
      order by r.recorded_at, r.observation_id
      limit p_limit + 1
    ) l
  ), page as materialized (
    select * from early union all select * from late
    order by recorded_at, id
    limit p_limit + 1
  )
  select json_build_object(
    'rows', (
      select coalesce(json_agg(json_build_object(
        'observation_id', id, 'company_id', company_id, 'recorded_at', exact_instant(recorded_at)
      ) order by recorded_at, id), '[]')
      from page
    ),
    'until', (select exact_instant(greatest(until, 'epoch')) from reached),
    'domains', (
      select json_agg(json_build_object(
        'hostname', h.hostname,
        'status', case when exists (select from holders x where x.hostname = h.hostname)
          then 'found' else 'not_found' end
      ) order by h.place)
      from unnest(p_hostnames) with ordinality h (hostname, place)
    )
  )
$$;

CREATE FUNCTION public.lock_allowance(p_subscription_id bigint) RETURNS boolean
    LANGUAGE plpgsql
    SET lock_timeout TO '250ms'
    AS $$
begin
  perform from allowances where subscription_id = p_subscription_id for update;
  return true;
exception when lock_not_available then
  return false;
end $$;

CREATE FUNCTION public.look_up_companies(p_ids bigint[], p_hostnames text[]) RETURNS json
    LANGUAGE sql STABLE
    AS $$
  with targets as (
    select t.place, t.id, null::text as hostname, array(
      select o.company_id from deliverable_observations o where o.company_id = t.id limit 1
    ) as companies
    from unnest(p_ids) with ordinality t (id, place)
    union all
    select t.place, null, t.hostname, array(
      select distinct d.company_id from deliverable_domains d where d.hostname = t.hostname limit 2
    )
    from unnest(p_hostnames) with ordinality t (hostname, place)
  )
  select json_build_object(
    'entries', (
      select coalesce(json_agg(json_build_object(
        'company_id', company_id, 'observation_ids', latest_observations(company_id)
      ) order by place), '[]')
      from (
        -- A company with several of the hostnames is returned once.
        select companies[1] as company_id, min(place) as place
        from targets
        where cardinality(companies) = 1
        group by 1
      ) unambiguous
    ),
    'lookups', (
      select json_agg(json_strip_nulls(json_build_object(
        'id', id,
        'hostname', hostname,
        'status', case cardinality(companies)
          when 0 then 'not_found' when 1 then 'found' else 'ambiguous' end,
        'company_id', case when cardinality(companies) = 1 then companies[1] end
      )) order by place)
      from targets
    )
  )
$$;

CREATE FUNCTION public.merge_companies(p_kept_id bigint, p_merged_id bigint, p_reason text) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  c companies;
  scheme text;
  merge_id bigint;
begin
  perform advance_dataset_clock();
  if p_kept_id = p_merged_id then
    return json_build_object('refused', 'a company cannot be merged with itself');
  end if;
  for c in
    select k.* from unnest(array[p_kept_id, p_merged_id]) requested (id)
    left join companies k on k.id = requested.id
    order by k.id
  loop
    if c.merged_into is not null then
      return json_build_object('refused', format(
        'company %s was merged into %s: merge that one, or undo it first', c.id, c.merged_into
      ));
    end if;
  end loop;
  if (select count(*) from companies k where k.id in (p_kept_id, p_merged_id)) < 2 then
    return json_build_object('refused', format('there is no company %s', (
      select min(requested.id) from unnest(array[p_kept_id, p_merged_id]) requested (id)
      where not exists (select from companies k where k.id = requested.id)
    )));
  end if;
  scheme := differing_scheme(p_kept_id, p_merged_id);
  if scheme is not null then
    return json_build_object('refused', format(
      'companies %s and %s are two by their identifiers: %s', p_kept_id, p_merged_id, scheme
    ));
  end if;
  merge_id := move_company(p_kept_id, p_merged_id, p_reason, null);
  return (
    select json_build_object(
      'merge', m.id, 'kept', m.kept_id, 'merged', m.merged_id,
      'observations', cardinality(m.observation_ids)
    )
    from company_merges m where m.id = merge_id
  );
end $$;

CREATE TABLE public.company_merges (
    id bigint NOT NULL,
    kept_id bigint NOT NULL,
    merged_id bigint NOT NULL,
    reason text NOT NULL,
    source_id integer,
    merged_at timestamp with time zone NOT NULL,
    undone_at timestamp with time zone,
    observation_ids bigint[] NOT NULL,
    moved jsonb NOT NULL,
    suppressed boolean NOT NULL,
    by_name boolean DEFAULT false NOT NULL,
    CONSTRAINT company_merges_reason_length CHECK (((length(reason) >= 1) AND (length(reason) <= 500))),
    CONSTRAINT company_merges_two_companies CHECK ((kept_id <> merged_id))
);

CREATE FUNCTION public.merge_report(m public.company_merges) RETURNS json
    LANGUAGE sql STABLE
    AS $$
  select json_build_object(
    'merge', m.id,
    'kept', m.kept_id,
    'merged', m.merged_id,
    'reason', m.reason,
    'source', (select s.name from sources s where s.id = m.source_id),
    'merged_at', instant(m.merged_at),
    'undone_at', instant(m.undone_at),
    'observations', cardinality(m.observation_ids)
  )
$$;

CREATE FUNCTION public.months_between(p_anchor timestamp with time zone, p_at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS $$
declare
  months integer := 12 * (date_part('year', p_at) - date_part('year', p_anchor))
    + date_part('month', p_at) - date_part('month', p_anchor);
begin
  if p_anchor + make_interval(months => months) > p_at then months := months - 1; end if;
  return months;
end $$;

CREATE FUNCTION public.move_company(p_kept_id bigint, p_merged_id bigint, p_reason text, p_source_id integer) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
  merge_id bigint;
  moved_ids bigint[];
  moved jsonb := moved_rows(p_kept_id, p_merged_id);
  suppression timestamptz;
  suppresses boolean;
begin
  update companies c set merged_into = p_kept_id where c.id = p_merged_id
  returning c.suppressed_at into suppression;
  -- False if the kept company is suppressed on its own, because undoing this merge must not show
  -- it.
  suppresses := suppression is not null and exists (
    select from companies c
    where c.id = p_kept_id and (c.suppressed_at is null or exists (
      select from company_merges m where m.kept_id = c.id and m.undone_at is null and m.suppressed
    ))
  );
  if suppresses then
    update companies c set suppressed_at = coalesce(c.suppressed_at, suppression)
    where c.id = p_kept_id;
    perform touch_observations(array(select o.id from observations o where o.company_id = p_kept_id));
  end if;

  moved_ids := array(select o.id from observations o where o.company_id = p_merged_id order by 1);
  update observations o set company_id = p_kept_id where o.id = any(moved_ids);
  perform record_again(moved_ids);
  update company_external_ids x set company_id = p_kept_id where x.company_id = p_merged_id;
  update company_identifiers i set company_id = p_kept_id where i.company_id = p_merged_id;
  insert into company_names (source_id, normalized_name, legal_form, country, company_id)
  select n.source_id, n.normalized_name, n.legal_form, n.country, p_kept_id
  from company_names n where n.company_id = p_merged_id
  on conflict do nothing;
  delete from company_names n where n.company_id = p_merged_id;
  insert into company_domains (domain_id, company_id, active)
  select cd.domain_id, p_kept_id, cd.active
  from company_domains cd where cd.company_id = p_merged_id
  on conflict do nothing;
  delete from company_domains cd where cd.company_id = p_merged_id;
  perform relist_observations(array_agg(cd.company_id), array_agg(cd.domain_id))
  from company_domains cd where cd.company_id = p_kept_id;

  insert into company_merges
    (kept_id, merged_id, reason, source_id, merged_at, observation_ids, moved, suppressed)
  select
    p_kept_id, p_merged_id, p_reason, p_source_id, clock.recorded_at, moved_ids, moved,
    suppresses
  from dataset_clock clock
  returning id into merge_id;
  return merge_id;
end $$;

CREATE FUNCTION public.moved_rows(p_kept_id bigint, p_merged_id bigint) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return jsonb_build_object(
    'external_ids', coalesce((
      select jsonb_agg(to_jsonb(x) - 'company_id' order by x.source_id, x.external_id)
      from company_external_ids x where x.company_id = p_merged_id
    ), '[]'),
    'identifiers', coalesce((
      select jsonb_agg(jsonb_build_object('scheme', i.scheme, 'value', i.value) order by i.scheme)
      from company_identifiers i where i.company_id = p_merged_id
    ), '[]'),
    'names', coalesce((
      select jsonb_agg(n.name || jsonb_build_object('own', exists (
        select from company_names k
        where k.company_id = p_kept_id and to_jsonb(k) @> n.name
      ) and not came_by_merge(p_kept_id, 'names', n.name)) order by n.name)
      from (
        select to_jsonb(m) - 'company_id' as name
        from company_names m where m.company_id = p_merged_id
      ) n
    ), '[]'),
    'domains', coalesce((
      select jsonb_agg(jsonb_build_object(
        'domain_id', cd.domain_id, 'active', cd.active, 'own', exists (
          select from company_domains k
          where k.company_id = p_kept_id and k.domain_id = cd.domain_id
        ) and not came_by_merge(
          p_kept_id, 'domains', jsonb_build_object('domain_id', cd.domain_id)
        )
      ) order by cd.domain_id)
      from company_domains cd where cd.company_id = p_merged_id
    ), '[]')
  );
end $$;

CREATE FUNCTION public.name_fits(m public.company_join_names, k public.company_join_names) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  select (m.is_current or k.is_current)
    and not differs(m, k)
    and case
      when m.is_ordinary or k.is_ordinary
        then share_business(m, k)
          and exists (select from unnest(m.places) p where p = any(k.places) and p like '%/%')
      when exists (select from unnest(m.places) p where p = any(k.places) and p like '%-%')
        then true
      else length(m.join_name) >= 6 and share_business(m, k) and (
        exists (select from unnest(k.places) p where array[left(p, 2)] = m.places)
        or exists (select from unnest(m.places) p where array[left(p, 2)] = k.places)
      )
    end
$$;

CREATE FUNCTION public.named_operation(p_message jsonb) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$
  select case when jsonb_typeof(p_message -> 'operation_id') = 'number' then
    case
      when (p_message ->> 'operation_id')::numeric between 1 and 9007199254740991
        and (p_message ->> 'operation_id')::numeric % 1 = 0
      then (p_message ->> 'operation_id')::numeric::bigint
    end
  end
$$;

CREATE FUNCTION public.namesakes(p_company_id bigint, OUT statement public.company_join_names, OUT namesake public.company_join_names, OUT namesake_id bigint) RETURNS SETOF record
    LANGUAGE sql STABLE
    AS $$
  select m.statement, k.namesake, y.company_id
  from (
    select x.source_id, x.external_id from company_external_ids x
    where x.company_id = p_company_id
    offset 0
  ) x
  cross join lateral (
    select m as statement, m.join_name from company_join_names m
    where m.source_id = x.source_id and m.external_id = x.external_id
    offset 0
  ) m
  cross join lateral (
    select k as namesake, k.source_id, k.external_id from company_join_names k
    where k.join_name = m.join_name
    offset 0
  ) k
  cross join lateral (
    select y.company_id from company_external_ids y
    where y.source_id = k.source_id and y.external_id = k.external_id
    offset 0
  ) y
  where y.company_id <> p_company_id
$$;

CREATE FUNCTION public.note_key_uses(p_hashes text[]) RETURNS double precision
    LANGUAGE plpgsql
    AS $$
begin
  update api_keys set last_used_on = current_date
  where id in (
    select id from api_keys
    where hash in (select decode(h, 'hex') from unnest(p_hashes) h)
      and last_used_on is distinct from current_date
    for update skip locked
  );
  return extract(epoch from (current_date + 1)::timestamptz - now());
end $$;

CREATE FUNCTION public.note_overtaken(p_message_id bigint, p_lease uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  update pgmq.q_operations set message = message || jsonb_build_object(
    'overtaken', coalesce(message -> 'overtaken', '[]') || to_jsonb(p_lease))
  where msg_id = p_message_id and jsonb_typeof(message) = 'object';
end $$;

CREATE FUNCTION public.observation_bodies(p_ids bigint[]) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return (
    select json_object_agg(o.id, json_build_object(
      'source_id', o.source_id,
      'kind', o.kind,
      'observed_fact', o.observed_fact,
      'why_it_may_matter', o.why_it_may_matter,
      'demand_class', o.demand_class,
      'country', o.country,
      'confidence', o.confidence,
      'occurred_at', instant(o.occurred_at),
      'observed_at', instant(o.observed_at),
      'expires_at', instant(o.expires_at),
      'last_seen_at', instant(o.last_seen_at),
      'categories', o.categories,
      'evidence', (
        select json_agg(json_build_object(
          'source_uri', e.source_uri,
          'excerpt', e.excerpt,
          'occurred_at', instant(e.occurred_at),
          'observed_at', instant(e.observed_at)
        ) order by e.id)
        from evidence e
        where e.observation_id = o.id and e.withdrawn_at is null
      )
    ))
    from observations o
    where o.id = any(p_ids)
  );
end $$;

CREATE FUNCTION public.observation_hostnames(p_ids bigint[], p_company_ids bigint[]) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return (
    select json_object_agg(h.id, h.hostnames)
    from (
      select
        o.id,
        json_agg(json_build_object('id', d.id, 'hostname', d.hostname) order by d.id) as hostnames
      from unnest(p_ids, p_company_ids) o (id, company_id)
      cross join lateral (
        select d.id, d.hostname
        from observation_domains od
        join company_domains cd
          on cd.domain_id = od.domain_id and cd.company_id = o.company_id and cd.active
        join domains d on d.id = od.domain_id
        where od.observation_id = o.id
        -- The offset keeps the planner from reading a whole table.
        offset 0
      ) d
      group by o.id
    ) h
  );
end $$;

CREATE FUNCTION public.observation_revision(p_change_seq bigint, p_last_seen_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$
  select case
    when p_last_seen_at is null then p_change_seq::text
    else concat_ws(' ', p_change_seq, extract(epoch from p_last_seen_at))
  end
$$;

CREATE FUNCTION public.operation_answer(p_outcome text, o public.operations, p_allowance json, p_shown json) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return json_build_object(
    'outcome', p_outcome,
    'operation', operation_json(o),
    'action', o.action,
    'inputs', o.inputs,
    'failure_code', o.failure_code,
    'next_cursor', o.next_cursor,
    'start_position', o.start_position,
    'result', o.result,
    'allowance', p_allowance,
    'holders', case when o.shows_hostnames is distinct from false and o.result is not null then holders(o) end,
    'shown', p_shown
  );
end $$;

CREATE FUNCTION public.operation_json(o public.operations) RETURNS json
    LANGUAGE plpgsql IMMUTABLE
    AS $$
begin
  return json_build_object(
    'id', o.id,
    'status', o.status,
    'request_key', o.request_key,
    'request_units', o.request_units,
    'delivered_units', o.delivered_units,
    'fresh_evidence_units', o.fresh_evidence_units
  );
end $$;

CREATE FUNCTION public.page_limit_refusal(c public.caller) RETURNS json
    LANGUAGE plpgsql IMMUTABLE
    AS $$
begin
  return json_build_object(
    'outcome', 'refused', 'code', 'result_limit_reached', 'page_limit', c.page_limit
  );
end $$;

CREATE FUNCTION public.postpone_messages(p_subscription_id bigint, p_seconds integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  update pgmq.q_operations set vt = clock_timestamp() + make_interval(secs => p_seconds)
  where msg_id in (
    select q.msg_id
    from operations o
    join pgmq.q_operations q on q.msg_id = o.message_id
    where o.subscription_id = p_subscription_id
      and o.status = 'pending'
      and q.vt < clock_timestamp() + make_interval(secs => p_seconds)
    limit 1000
    for update of q skip locked
  );
end $$;

CREATE FUNCTION public.queue_operation(o public.operations, p_delay_seconds integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  if o.message_id is not null then
    perform pgmq.set_vt('operations', o.message_id, p_delay_seconds);
  else
    update operations set message_id = (
      select pgmq.send('operations', jsonb_build_object('operation_id', o.id), p_delay_seconds)
    ) where id = o.id;
  end if;
end $$;

CREATE FUNCTION public.queue_refreshes(p_hostnames text[], p_at timestamp with time zone) RETURNS void
    LANGUAGE sql
    AS $$
  with due as (
    insert into hostname_refreshes as h (source_id, hostname, queued_at)
    select s.id, t.hostname, p_at
    from sources s
    cross join unnest(p_hostnames) t (hostname)
    where s.permitted and s.hostname_refresh_interval is not null
    -- All settlements use the same order, so that settlements with the same hostnames do not
    -- deadlock.
    order by s.id, t.hostname
    on conflict (source_id, hostname) do update set queued_at = excluded.queued_at
    where h.queued_at + (
      select s.hostname_refresh_interval from sources s where s.id = h.source_id
    ) <= excluded.queued_at
    returning h.source_id, h.hostname
  )
  select pgmq.send('refreshes', jsonb_build_object('source', s.name, 'hostname', due.hostname))
  from due
  join sources s on s.id = due.source_id
$$;

CREATE FUNCTION public.read_company(p_key_hash bytea, p_company_id bigint, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
declare
  at timestamptz := coalesce(p_now, now());
  refused text := refusal_of_key(p_key_hash, at);
  shown json;
begin
  if refused is not null then return refusal(refused); end if;
  shown := shown_observations(latest_observations(p_company_id), true, true);
  if json_array_length(shown -> 'ids') = 0 then return refusal('company_not_found'); end if;
  return json_build_object(
    'outcome', 'found',
    'as_of', instant(at),
    'observation_ids', shown -> 'ids',
    'observations', last_version_rows(shown)
  );
end $$;

CREATE FUNCTION public.read_company(p_key_hash bytea, p_company_id bigint, p_bodies boolean, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
declare
  at timestamptz := coalesce(p_now, now());
  refused text := refusal_of_key(p_key_hash, at);
  ids bigint[];
  revisions text[];
  company_name text;
  hostnames json;
begin
  if refused is not null then return refusal(refused); end if;
  select
    array_agg(o.id),
    array_agg(observation_revision(o.change_seq, o.last_seen_at)),
    min(o.company_name)
  into ids, revisions, company_name
  from latest_deliverable(p_company_id) o;
  if ids is null then return refusal('company_not_found'); end if;
  select json_agg(json_build_object('id', d.id, 'hostname', d.hostname) order by d.id)
  into hostnames
  from company_domains cd
  join domains d on d.id = cd.domain_id
  where cd.company_id = p_company_id
    and cd.active
    and exists (
      select from observation_domains od
      where od.observation_id = any(ids) and od.domain_id = cd.domain_id
    );
  return json_build_object(
    'outcome', 'found',
    'as_of', instant(at),
    'company_name', company_name,
    'ids', ids,
    'revisions', revisions,
    'domains', hostnames,
    'bodies', case when p_bodies then observation_bodies(ids) end
  );
end $$;

CREATE FUNCTION public.read_observation(p_key_hash bytea, p_observation_id bigint, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
declare
  answer json := read_observation(p_key_hash, p_observation_id, true, p_now);
begin
  if answer ->> 'outcome' <> 'found' then return answer; end if;
  return json_build_object(
    'outcome', 'found',
    'observation', (answer -> 'body')::jsonb || jsonb_build_object(
      'id', p_observation_id,
      'company_id', answer -> 'company_id',
      'company_name', answer -> 'company_name',
      'domains', null
    )
  );
end $$;

CREATE FUNCTION public.read_observation(p_key_hash bytea, p_observation_id bigint, p_bodies boolean, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
declare
  refused text := refusal_of_key(p_key_hash, coalesce(p_now, now()));
  o record;
begin
  if refused is not null then return refusal(refused); end if;
  select
    d.company_id,
    d.company_name,
    observation_revision(d.change_seq, d.last_seen_at) as revision
  into o
  from deliverable_observations d
  where d.id = p_observation_id;
  if not found then return refusal('observation_not_found'); end if;
  return json_build_object(
    'outcome', 'found',
    'company_id', o.company_id,
    'company_name', o.company_name,
    'revision', o.revision,
    'body', case when p_bodies
      then observation_bodies(array[p_observation_id]) -> p_observation_id::text
    end
  );
end $$;

CREATE FUNCTION public.read_operation(p_key_hash bytea, p_operation_id bigint, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS $$
begin
  return last_version_answer(read_operation(p_key_hash, p_operation_id, true, p_now));
end $$;

CREATE FUNCTION public.read_operation(p_key_hash bytea, p_operation_id bigint, p_bodies boolean, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  o operations;
begin
  c := caller_of_key(p_key_hash, at);
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  if not c.entitled then return refusal('subscription_required'); end if;
  select * into o from operations where id = p_operation_id and account_id = c.account_id;
  if not found then return refusal('usage_not_found'); end if;
  if o.finished_at is null and o.deadline_at <= at then o := expire_operation(o.id, at); end if;
  return replayed_answer('found', o, c, p_bodies, at);
end $$;

CREATE FUNCTION public.read_operation_times(p_key_hash bytea, p_operation_id bigint) RETURNS json
    LANGUAGE sql STABLE
    AS $$
  select json_build_object(
    'claimed_at', to_json(o.claimed_at at time zone 'utc') #>> '{}' || 'Z',
    'finished_at', to_json(o.finished_at at time zone 'utc') #>> '{}' || 'Z',
    'cancelled', coalesce(o.result ? 'cancelled', false)
  )
  from operations o
  join api_keys k on k.account_id = o.account_id
  where o.id = p_operation_id and k.hash = p_key_hash and k.revoked_at is null
$$;

CREATE FUNCTION public.read_usage(p_key_hash bytea, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return read_usages(array[encode(p_key_hash, 'hex')], p_now);
end $$;

CREATE FUNCTION public.read_usages(p_key_hashes text[], p_now timestamp with time zone) RETURNS SETOF json
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    AS $$
declare
  at timestamptz := coalesce(p_now, now());
begin
  return query
  select case
    when c.account_id is null then refusal('invalid_api_key')
    when not c.entitled then refusal('subscription_required')
    else json_build_object(
      'outcome', 'found',
      'plan', c.plan,
      'status', c.status,
      'current_period_start', instant(c.period_start),
      'current_period_end', instant(c.period_end),
      'counts', array[
        (u.counters).window_request_units,
        (u.counters).week_request_units,
        (u.counters).window_delivered_units,
        (u.counters).week_delivered_units,
        (u.counters).window_fresh_evidence_units,
        c.request_units,
        c.weekly_request_units,
        c.delivered_units,
        c.weekly_delivered_units,
        (u.counters).reserved_request_units,
        (u.counters).reserved_delivered_units,
        c.window_seconds,
        (u.counters).window_reserved_request_units,
        (u.counters).week_reserved_request_units,
        ceil(date_part('epoch', c.window_end - at))::integer,
        ceil(date_part('epoch', c.week_end - at))::integer
      ]
    )
  end
  from unnest(p_key_hashes) with ordinality k (hash, place)
  -- Without the offset, the planner may read all keys and compute the terms of all subscriptions.
  left join lateral (select * from caller_row(decode(k.hash, 'hex'), at) offset 0) c on true
  left join allowances s on s.subscription_id = c.subscription_id
  cross join lateral (
    -- Counters of an earlier window or week are computed here. The next claim stores them.
    select case
      when s.window_start = c.window_start and s.week_start = c.week_start then s
      when c.entitled then units_in_use(c)
    end as counters
    offset 0
  ) u
  order by k.place;
end $$;

CREATE FUNCTION public.record_again(p_ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  after timestamptz := take_moments(cardinality(p_ids));
begin
  update observations o set
    recorded_at = after + again.number * interval '1 microsecond',
    change_seq = clock.change_seq
  from dataset_clock clock, (
    select f.id, row_number() over (order by f.recorded_at, f.id) as number
    from observations f
    where f.id = any(p_ids)
  ) again
  where o.id = again.id;
end $$;

CREATE FUNCTION public.record_companies(p_records jsonb, p_places bigint[], p_ids bigint[], p_change_seq bigint, OUT places bigint[], OUT company_id bigint) RETURNS SETOF record
    LANGUAGE plpgsql
    AS $$
declare
  mention record;
  identified record;
  joined record;
  -- Companies that the records so far have renamed, and those that they have merged or split.
  renamed bigint[] := '{}';
  merged bigint[] := '{}';
  -- Pairs company/hostname and company/identifier that the records so far give, and the
  -- observations that these records revise. The earlier statements of those observations no longer
  -- count.
  supported text[] := '{}';
  revised bigint[] := '{}';
  -- Hostnames and names that earlier records of the batch have stored. company_mentions did not
  -- know them, so a settled mention with one of them is looked up again.
  introduced text[] := '{}';
  -- Observations of p_ids with identifiers, and whether an identifier was released.
  identifying bigint[] := array(
    select o.id from observations o where o.id = any(p_ids) and o.company_identifiers is not null
  );
  released boolean := false;
  -- Statements for joins with names that no other mention or row has. No company can be joined by
  -- these names yet, so one SQL statement stores them all after the loop.
  alone_sources integer[] := '{}';
  alone_external_ids text[] := '{}';
  alone_joinings jsonb[] := '{}';
begin
  for mention in
    with mentions as materialized (
      select * from company_mentions(p_records, p_places, p_ids)
    ), stated as (
      select m.places[1] as place, n.name, count(*) over (partition by n.name) as mentioned
      from mentions m
      cross join lateral jsonb_to_recordset(m.joining -> 'names') n (name text)
      where m.external_id is not null
    ), shared as (
      select s.place from stated s
      where s.mentioned > 1
        or exists (select from company_join_names k where k.join_name = s.name)
    )
    select
      m.*,
      s.place is not null as shares_name,
      m.hostnames || (m.source_id || '/' || m.normalized_name) as keys
    from mentions m
    left join (select distinct place from shared) s on s.place = m.places[1]
    order by m.places[1]
  loop
    places := mention.places;
    company_id := mention.company_id;
    if mention.ids && identifying then
      released := release_identifiers(mention.ids, mention.identifiers, supported, revised)
        or released;
    end if;
    -- An earlier record of the batch may have removed the rows by which this mention is settled, or
    -- moved them to another company.
    if not mention.settled or released or mention.company_id = any(renamed || merged)
      or (mention.external_id is null and (
        merged <> '{}' or (revised <> '{}' and mention.hostnames <> '{}')
        or introduced && mention.keys
      ))
    then
      identified := identify_company(
        mention.source_id, mention.external_id, mention.name, mention.normalized_name,
        mention.legal_form, mention.country, mention.hostnames, mention.identifiers,
        supported, revised
      );
      renamed := renamed || identified.renamed;
      joined := join_mentioned(
        identified.company_id, identified.holders, mention.source_id, mention.external_id,
        mention.identifiers, case when mention.shares_name then mention.joining end
      );
      company_id := joined.company_id;
      merged := merged || identified.apart || joined.apart || joined.gone;
      supported := supported || array(
        select company_id || '/' || split_part(s, '/', 2) from unnest(supported) s
        where split_part(s, '/', 1)::bigint = any(joined.gone)
      );
      if not mention.shares_name and mention.external_id is not null and mention.joining is not null
      then
        alone_sources := alone_sources || mention.source_id;
        alone_external_ids := alone_external_ids || mention.external_id;
        alone_joinings := alone_joinings || mention.joining;
      end if;
      perform keep_mentioned(
        company_id, mention.source_id, mention.external_id, mention.normalized_name,
        mention.legal_form, mention.country, mention.hostnames, mention.identifiers
      );
      introduced := introduced || mention.keys;
    end if;
    supported := supported
      || array(select company_id || '/' || g from unnest(mention.hostnames || mention.identifiers) g);
    revised := revised || mention.ids;
    if mention.ids <> '{}' then
      -- The revised observations move at once, so that a merge by a later record includes them.
      -- They are recorded again, because they did not support the hostnames of their new company
      -- before.
      update observations o set
        company_id = record_companies.company_id, recorded_at = clock.recorded_at
      from dataset_clock clock
      where o.id = any(mention.ids) and o.company_id <> record_companies.company_id;
    end if;
    return next;
  end loop;
  perform keep_joinings(alone_sources, alone_external_ids, alone_joinings);

  -- Searches find companies by their names, so indexes must read these observations again.
  if renamed <> '{}' then
    update observations o set change_seq = p_change_seq where o.company_id = any(renamed);
  end if;
end $$;

CREATE FUNCTION public.record_observations(p_records jsonb) RETURNS json
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
  clock record;
  recorded integer;
  revised integer;
  unchanged integer;
  seen_ids bigint[];
  written_places bigint[];
  written_ids bigint[];
  company_ids bigint[];
  after timestamptz;
begin
  clock := advance_dataset_clock();

  insert into sources (name)
  select distinct r.source from jsonb_to_recordset(p_records) as r (source text)
  where not exists (select from sources s where s.name = r.source);

  with steps as (
    select
      r.place,
      o.id,
      r.content_hash,
      lag(
        r.content_hash,
        1,
        case when o.gone_at is null then encode(o.content_hash, 'hex') else '' end
      ) over same_record as before,
      lead(r.place) over same_record is null as last,
      s.id as source_id,
      r.external_id
    from rows from (
      jsonb_to_recordset(p_records) as (source text, external_id text, content_hash text)
    ) with ordinality r (source, external_id, content_hash, place)
    join sources s on s.name = r.source
    left join lateral (
      select e.id, e.content_hash, e.gone_at from observations e
      where e.source_id = s.id and e.external_id = r.external_id
      limit 1
    ) o on true
    window same_record as (partition by s.id, r.external_id order by r.place)
  ), judged as (
    select *,
      bool_or(before is distinct from content_hash) over (partition by source_id, external_id)
        as written
    from steps
  )
  select
    count(*) filter (where before is null),
    count(*) filter (where before <> content_hash),
    count(*) filter (where before = content_hash),
    coalesce(array_agg(id) filter (where last and not written), '{}'),
    coalesce(array_agg(place order by place) filter (where last and written), '{}'),
    coalesce(array_agg(id order by place) filter (where last and written), '{}')
  into recorded, revised, unchanged, seen_ids, written_places, written_ids
  from judged;

  if seen_ids <> '{}' then
    update observations set last_seen_at = clock.recorded_at where id = any(seen_ids);
    perform join_unchanged(p_records, seen_ids);
  end if;

  if written_places <> '{}' then
    select array_agg(mentioned.company_id order by mentioned.place) into company_ids
    from (
      select unnest(m.places) as place, m.company_id
      from record_companies(p_records, written_places, written_ids, clock.change_seq) m
    ) mentioned;
    perform relist_given(p_records, written_places, company_ids);
    after := take_moments(jsonb_array_length(p_records));
    perform write_observations(
      p_records, written_places, written_ids, company_ids, clock.change_seq, after
    );
    -- Later records of the batch may have merged companies of earlier ones.
    if exists (
      select from company_merges m where m.merged_id = any(company_ids) and m.undone_at is null
    ) then
      perform follow_merges(clock.recorded_at);
    end if;
    if exists (select from company_merges m where m.undone_at = clock.recorded_at) then
      perform follow_splits(clock.recorded_at);
    end if;
  end if;
  return json_build_object('recorded', recorded, 'revised', revised, 'unchanged', unchanged);
end $$;

CREATE FUNCTION public.refusal(p_code text) RETURNS json
    LANGUAGE sql IMMUTABLE
    AS $$
  select json_build_object('outcome', 'refused', 'code', p_code)
$$;

CREATE FUNCTION public.refusal_of_key(p_key_hash bytea, p_at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql STABLE
    SET enable_seqscan TO 'off'
    AS $$
declare
  entitled boolean;
begin
  select is_entitled(s.status, s.current_period_start, s.current_period_end, p_at) into entitled
  from subscription_of_key(p_key_hash, p_at) s;
  return case
    when entitled is null then 'invalid_api_key'
    when not entitled then 'subscription_required'
  end;
end $$;

CREATE FUNCTION public.refuse_ledger_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'the ledger is append-only';
end $$;

CREATE FUNCTION public.refuse_ledger_deletion() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if exists (
    select from subscriptions s
    join accounts a on a.id = s.account_id
    where s.id = old.subscription_id and a.is_demo
  ) then
    return old;
  end if;
  raise exception 'the ledger is append-only';
end $$;

CREATE FUNCTION public.register_source(p_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  if exists (select from sources where name = p_name) then return; end if;
  perform advance_dataset_clock();
  insert into sources (name) values (p_name) on conflict (name) do nothing;
end $$;

CREATE FUNCTION public.release_embedding(p_lease uuid) RETURNS void
    LANGUAGE sql
    AS $$
  update embedding_models set lease_token = null, leased_until = null where lease_token = p_lease
$$;

CREATE FUNCTION public.release_identifiers(p_ids bigint[], p_identifiers text[], p_given text[], p_revised bigint[]) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
begin
  delete from company_identifiers i
  using observations o, unnest(o.company_identifiers) former
  where o.id = any(p_ids)
    and former <> all(p_identifiers)
    and i.company_id = o.company_id and i.scheme || ':' || i.value = former
    and o.company_id || '/' || former <> all(p_given)
    and not exists (
      select from observations remaining
      where remaining.company_id = o.company_id and remaining.id <> all(p_ids || p_revised)
        and former = any(remaining.company_identifiers)
    );
  return found;
end $$;

CREATE FUNCTION public.release_operation(p_operation_id bigint, p_lease uuid, p_delay_seconds integer) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
declare
  o operations;
begin
  update operations set status = 'pending', lease_token = null, lease_expires_at = null
  where id = p_operation_id and status = 'processing' and lease_token = p_lease
  returning * into o;
  if not found then return false; end if;
  perform queue_operation(o, p_delay_seconds);
  return true;
end $$;

CREATE FUNCTION public.release_search_tables(p_lease uuid) RETURNS void
    LANGUAGE sql
    AS $$
  update search_tables set lease_token = null, leased_until = null where lease_token = p_lease
$$;

CREATE FUNCTION public.release_units(o public.operations) RETURNS public.allowances
    LANGUAGE plpgsql
    AS $$
declare
  a allowances;
begin
  -- The update reads the counters from its target row, not from a joined copy. If it has waited for
  -- the lock, it therefore adds to the values that the last holder has written.
  update allowances set
    window_request_units =
      window_request_units + o.request_units * (o.window_start >= window_start)::integer,
    window_delivered_units =
      window_delivered_units + o.delivered_units * (o.window_start >= window_start)::integer,
    window_fresh_evidence_units = window_fresh_evidence_units
      + o.fresh_evidence_units * (o.window_start >= window_start)::integer,
    window_reserved_request_units = window_reserved_request_units
      - o.reserved_request_units * (o.window_start >= window_start)::integer,
    window_reserved_delivered_units = window_reserved_delivered_units
      - o.reserved_delivered_units * (o.window_start >= window_start)::integer,
    week_request_units =
      week_request_units + o.request_units * (o.week_start >= week_start)::integer,
    week_delivered_units =
      week_delivered_units + o.delivered_units * (o.week_start >= week_start)::integer,
    week_fresh_evidence_units = week_fresh_evidence_units
      + o.fresh_evidence_units * (o.week_start >= week_start)::integer,
    week_reserved_request_units = week_reserved_request_units
      - o.reserved_request_units * (o.week_start >= week_start)::integer,
    week_reserved_delivered_units = week_reserved_delivered_units
      - o.reserved_delivered_units * (o.week_start >= week_start)::integer,
    reserved_request_units = reserved_request_units - o.reserved_request_units,
    reserved_delivered_units = reserved_delivered_units - o.reserved_delivered_units
  where subscription_id = o.subscription_id
  returning * into a;
  return a;
end $$;

CREATE FUNCTION public.relist_given(p_records jsonb, p_places bigint[], p_company_ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  company_ids bigint[];
  domain_ids bigint[];
begin
  select array_agg(w.company_id), array_agg(d.id) into company_ids, domain_ids
  from rows from (
    jsonb_to_recordset(p_records) as (hostnames text[])
  ) with ordinality r (hostnames, place)
  join unnest(p_places, p_company_ids) w (place, company_id) on w.place = r.place
  cross join lateral unnest(r.hostnames) h (hostname)
  join domains d on d.hostname = h.hostname;
  perform relist_observations(company_ids, domain_ids);
end $$;

CREATE FUNCTION public.relist_observations(p_company_ids bigint[], p_domain_ids bigint[]) RETURNS void
    LANGUAGE plpgsql
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    AS $$
declare
  clock dataset_clock;
  ids bigint[];
  domain_ids bigint[];
  after timestamptz;
begin
  select * into clock from dataset_clock;
  with gained as materialized (
    select link.company_id, link.domain_id
    from (
      select distinct t.company_id, t.domain_id
      from unnest(p_company_ids, p_domain_ids) t (company_id, domain_id)
    ) link
    where exists (
      select from observations o
      where o.company_id = link.company_id and o.recorded_at <= clock.visible_at
      offset 0
    ) and not exists (
      select from observation_domains od
      join deliverable_observations o on o.id = od.observation_id
      join company_domains cd on cd.domain_id = od.domain_id and cd.company_id = o.company_id
      where od.domain_id = link.domain_id
        and o.company_id = link.company_id
        and cd.active
        and o.recorded_at <= clock.visible_at
        and (o.expires_at is null or o.expires_at > clock.recorded_at + interval '1 hour')
      offset 0
    )
  )
  select
    array_agg(o.id order by o.recorded_at, o.id, gained.domain_id),
    array_agg(gained.domain_id order by o.recorded_at, o.id, gained.domain_id)
  into ids, domain_ids
  from gained
  join deliverable_observations o on o.company_id = gained.company_id
  where o.recorded_at <= clock.visible_at;
  if ids is null then return; end if;

  after := take_moments(cardinality(ids));
  insert into relisted_observations as r (domain_id, observation_id, recorded_at)
  select a.domain_id, a.id, after + a.number * interval '1 microsecond'
  from unnest(ids, domain_ids) with ordinality a (id, domain_id, number)
  on conflict (domain_id, observation_id) do update set recorded_at = excluded.recorded_at;
end $$;

CREATE FUNCTION public.remove_demo(p_sources text[]) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  source_ids integer[] := array(select id from sources where name = any(p_sources));
  account bigint := (select id from accounts where is_demo);
  observation_ids bigint[];
  company_ids bigint[];
  settlements bigint;
begin
  perform advance_dataset_clock();
  observation_ids := array(select id from observations where source_id = any(source_ids));
  company_ids := delete_source_records(source_ids, observation_ids);
  if observation_ids <> '{}' then
    delete from semantic_models;
    update dataset_clock set dataset_id = gen_random_uuid();
  end if;
  settlements := delete_demo_account(account);
  return json_build_object(
    'observations', cardinality(observation_ids),
    'companies', cardinality(company_ids),
    'account_id', account,
    'settlements', settlements
  );
end $$;

CREATE FUNCTION public.replayed_answer(p_outcome text, o public.operations, c public.caller, p_bodies boolean, p_at timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return operation_answer(
    p_outcome,
    o,
    allowance_json(c, p_at),
    case when o.result is not null then shown_observations(
      array(
        select observation_id::bigint
        from jsonb_array_elements(o.result -> 'entries') entry,
          jsonb_array_elements_text(entry -> 'observation_ids') observation_id
      ),
      p_bodies,
      o.shows_hostnames is distinct from false
    ) end
  );
end $$;

CREATE FUNCTION public.reserve_units(o public.operations, c public.caller, p_at timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  admitted record := admit_units(o, c, p_at);
begin
  return admitted.refused;
end $$;

CREATE FUNCTION public.reserved_units(p_subscription_id bigint, p_window_start timestamp with time zone, p_week_start timestamp with time zone, p_except_operation_id bigint, OUT window_request_units integer, OUT window_delivered_units integer, OUT week_request_units integer, OUT week_delivered_units integer, OUT request_units integer, OUT delivered_units integer) RETURNS record
    LANGUAGE sql STABLE
    AS $$
  select
    coalesce(sum(reserved_request_units) filter (where window_start >= p_window_start), 0),
    coalesce(sum(reserved_delivered_units) filter (where window_start >= p_window_start), 0),
    coalesce(sum(reserved_request_units) filter (where week_start >= p_week_start), 0),
    coalesce(sum(reserved_delivered_units) filter (where week_start >= p_week_start), 0),
    coalesce(sum(reserved_request_units), 0),
    coalesce(sum(reserved_delivered_units), 0)
  from operations
  where subscription_id = p_subscription_id
    and status in ('pending', 'processing')
    and id is distinct from p_except_operation_id
$$;

CREATE FUNCTION public.retire_embeddings(p_name text, p_format integer, p_most integer) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  retired_ids integer[];
  deleted integer;
begin
  if not exists (
    select from embedding_models
    where name = p_name and format = p_format and ready_at is not null
  ) then
    return 0;
  end if;
  -- A retired model that is used again restarts its walk. Vectors that are still stored are not
  -- computed again. The model is ready for searches after its walk has reached the end.
  with retired as (
    update embedding_models set
      ready_at = null,
      change_seq = 0,
      observation_id = 0,
      lease_token = null,
      leased_until = null
    where (name, format) <> (p_name, p_format)
      and asked_at < clock_timestamp() - interval '1 hour'
    returning id
  )
  select array_agg(id) into retired_ids from retired;
  if retired_ids is null then
    return 0;
  end if;
  with retired as (
    select model_id, observation_id from observation_embeddings
    where model_id = any(retired_ids) limit p_most for update skip locked
  )
  delete from observation_embeddings e using retired r
  where e.model_id = r.model_id and e.observation_id = r.observation_id;
  get diagnostics deleted = row_count;
  delete from embedding_models m
  where m.id = any(retired_ids)
    and not exists (select from observation_embeddings e where e.model_id = m.id);
  return deleted;
end $$;

CREATE FUNCTION public.return_domains(merge public.company_merges) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  insert into company_domains (domain_id, company_id, active)
  select b.domain_id, merge.merged_id, b.active
  from jsonb_to_recordset(merge.moved -> 'domains') b (domain_id bigint, active boolean)
  on conflict do nothing;
  insert into company_domains (domain_id, company_id)
  select distinct od.domain_id, merge.merged_id
  from observations o
  join observation_domains od on od.observation_id = o.id
  where o.company_id = merge.merged_id
  on conflict do nothing;
  delete from company_domains cd
  using jsonb_to_recordset(merge.moved -> 'domains') b (domain_id bigint, own boolean)
  where cd.company_id = merge.kept_id and cd.domain_id = b.domain_id and not b.own
    and not came_by_merge(
      merge.kept_id, 'domains', jsonb_build_object('domain_id', cd.domain_id)
    )
    and not exists (
      select from observation_domains od
      join observations o on o.id = od.observation_id
      where od.domain_id = cd.domain_id and o.company_id = merge.kept_id
    );
end $$;

CREATE FUNCTION public.return_identities(merge public.company_merges) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  update company_external_ids x set company_id = merge.merged_id
  where x.company_id = merge.kept_id
    and (x.source_id, x.external_id) in (select * from returned_external_ids(merge));
  update companies c set name = coalesce((
    select x.name from company_external_ids x
    join jsonb_to_recordset(merge.moved -> 'external_ids')
      b (source_id integer, external_id text, name text) using (source_id, external_id)
    where x.company_id = c.id and x.name <> b.name
    order by x.source_id, x.external_id
    limit 1
  ), c.name)
  where c.id = merge.merged_id;

  update company_identifiers i set company_id = merge.merged_id
  where i.company_id = merge.kept_id and (
    (i.scheme, i.value) in (
      select b.scheme, b.value
      from jsonb_to_recordset(merge.moved -> 'identifiers') b (scheme text, value text)
    )
    or (i.source_id, i.company_external_id) in (select * from returned_external_ids(merge))
    or (gives(merge.merged_id, i) and not gives(merge.kept_id, i))
  );

  insert into company_names (source_id, normalized_name, legal_form, country, company_id)
  select b.source_id, b.normalized_name, b.legal_form, b.country, merge.merged_id
  from jsonb_to_recordset(merge.moved -> 'names')
    b (source_id integer, normalized_name text, legal_form text, country text)
  on conflict do nothing;
  delete from company_names n
  using jsonb_to_recordset(merge.moved -> 'names')
    b (source_id integer, normalized_name text, legal_form text, country text, own boolean)
  where n.company_id = merge.kept_id
    and (n.source_id, n.normalized_name, n.legal_form, n.country)
      = (b.source_id, b.normalized_name, b.legal_form, b.country)
    and not b.own
    and not came_by_merge(merge.kept_id, 'names', to_jsonb(n) - 'company_id');
end $$;

CREATE FUNCTION public.return_observations(merge public.company_merges) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  returned bigint[] := array(
    select o.id from observations o
    where o.company_id = merge.kept_id and (
      (o.company_external_id is null and o.id = any(merge.observation_ids))
      or (o.source_id, o.company_external_id) in (select * from returned_external_ids(merge))
    )
  );
begin
  update observations o set company_id = merge.merged_id where o.id = any(returned);
  perform record_again(returned);
  return cardinality(returned);
end $$;

CREATE FUNCTION public.return_suppression(merge public.company_merges) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  before timestamptz;
  after timestamptz;
begin
  select c.suppressed_at into before from companies c where c.id = merge.kept_id;
  if merge.suppressed and before <= merge.merged_at then
    update companies c set suppressed_at = (
      select min(m.suppressed_at) from companies m where m.merged_into = merge.kept_id
    )
    where c.id = merge.kept_id
    returning c.suppressed_at into after;
    if after is null then
      perform record_again(array(
        select o.id from observations o where o.company_id = merge.kept_id
      ));
    end if;
  elsif before > merge.merged_at then
    update companies c set suppressed_at = coalesce(c.suppressed_at, before)
    where c.id = merge.merged_id;
  end if;
end $$;

CREATE FUNCTION public.returned_external_ids(merge public.company_merges) RETURNS TABLE(source_id integer, external_id text)
    LANGUAGE sql STABLE
    AS $$
  select x.source_id, x.external_id
  from jsonb_to_recordset(merge.moved -> 'external_ids') x (source_id integer, external_id text)
$$;

CREATE FUNCTION public.roll_allowance(c public.caller, p_operation_id bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  -- Locks the row first. The sums are in a separate statement, which sees what the last holder of
  -- the lock has committed.
  perform from allowances where subscription_id = c.subscription_id for update;
  update allowances a set
    window_start = c.window_start,
    window_request_units = l.window_request_units,
    window_delivered_units = l.window_delivered_units,
    window_fresh_evidence_units = l.window_fresh_evidence_units,
    window_reserved_request_units = r.window_request_units,
    window_reserved_delivered_units = r.window_delivered_units,
    week_start = c.week_start,
    week_request_units = l.week_request_units,
    week_delivered_units = l.week_delivered_units,
    week_fresh_evidence_units = l.week_fresh_evidence_units,
    week_reserved_request_units = r.week_request_units,
    week_reserved_delivered_units = r.week_delivered_units
  from settled_units(c.subscription_id, c.window_start, c.week_start) l,
    reserved_units(c.subscription_id, c.window_start, c.week_start, p_operation_id) r
  where a.subscription_id = c.subscription_id;
end $$;

CREATE FUNCTION public.schedule_feed(p_source text, p_target text, p_interval_seconds integer, p_company jsonb, p_now timestamp with time zone) RETURNS json
    LANGUAGE sql
    AS $$
  insert into source_feeds as f (source_id, target, company, refresh_interval, due_at)
  select
    s.id, p_target, p_company, make_interval(secs => p_interval_seconds), coalesce(p_now, now())
  from sources s where s.name = p_source
  on conflict (source_id, target) do update set
    company = excluded.company,
    refresh_interval = excluded.refresh_interval,
    due_at = least(f.due_at, excluded.due_at + excluded.refresh_interval),
    validators = null
  returning json_build_object(
    'source', p_source, 'target', nullif(target, ''), 'interval_seconds', p_interval_seconds,
    'due_at', instant(due_at)
  )
$$;

CREATE FUNCTION public.serve_search_tables(p_lease uuid, p_set text) RETURNS boolean
    LANGUAGE sql
    AS $$
  with served as (
    update search_tables set serving = p_set, served_since = clock_timestamp(), filling = null
    where lease_token = p_lease and filling = p_set
    returning only_row
  )
  select exists (select from served)
$$;

CREATE FUNCTION public.set_source(p_name text, p_permitted boolean) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  source sources;
  before boolean;
  changed bigint[];
begin
  perform advance_dataset_clock();
  select permitted into before from sources where name = p_name;
  update sources set permitted = p_permitted where name = p_name returning * into source;
  if not found then return null; end if;
  changed := array(select id from observations where source_id = source.id);
  if source.permitted and not before then
    perform record_again(changed);
    perform relist_observations(array_agg(o.company_id), array_agg(od.domain_id))
    from observations o join observation_domains od on od.observation_id = o.id
    where o.source_id = source.id;
  else
    perform touch_observations(changed);
  end if;
  return json_build_object(
    'source', source.name, 'permitted', source.permitted, 'observations', cardinality(changed)
  );
end $$;

CREATE FUNCTION public.set_source_address(p_name text, p_address text) RETURNS json
    LANGUAGE sql
    AS $$
  with changed as (
    update sources set address = p_address where name = p_name returning id, name, address
  ), forgotten as (
    update source_feeds f set
      validators = null,
      run_started_at = null, seen_after = null, checkpoint = null,
      lease_token = null, leased_until = null
    from changed where f.source_id = changed.id
  )
  select json_build_object('source', name, 'address', address) from changed
$$;

CREATE FUNCTION public.set_subscription(p_account_id bigint, p_plan text, p_status text) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  s subscriptions;
begin
  update subscriptions set
    plan = coalesce(p_plan, plan),
    status = coalesce(p_status, status)
  where account_id = p_account_id
  returning * into s;
  if not found then return null; end if;
  if s.status = 'trialing' and s.current_period_end <= now() then
    update subscriptions set
      current_period_start = date_trunc('milliseconds', now()),
      current_period_end = date_trunc('milliseconds', now()) + interval '1 month'
    where id = s.id
    returning * into s;
  end if;
  return (
    select json_build_object(
      'account_id', s.account_id,
      'subscription_id', s.id,
      'plan', s.plan,
      'status', s.status,
      'current_period_start', instant(t.period_start),
      'current_period_end', instant(t.period_end)
    )
    from plans p
    cross join lateral subscription_terms(
      s.status, s.current_period_start, s.current_period_end, p.window_seconds, now()) t
    where p.name = s.plan
  );
end $$;

CREATE FUNCTION public.settle_operation(p_key_hash bytea, p_operation_id bigint, p_lease uuid, p_entries jsonb, p_limit integer, p_unit text, p_result jsonb, p_next_cursor text, p_next jsonb, p_refresh_hostnames text[], p_fresh_observation_ids bigint[], p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  company_ids bigint[];
  places integer[];
  observation_ids bigint[];
  answer json;
begin
  company_ids := array(
    select (e.entry ->> 'company_id')::bigint
    from jsonb_array_elements(p_entries) with ordinality e (entry, place)
    order by e.place
  );
  select coalesce(array_agg(e.place order by e.place, i.line), '{}'),
    coalesce(array_agg(i.id::bigint order by e.place, i.line), '{}')
  into places, observation_ids
  from jsonb_array_elements(p_entries) with ordinality e (entry, place)
  cross join jsonb_array_elements_text(e.entry -> 'observation_ids') with ordinality i (id, line);
  answer := settle_operation(
    p_key_hash,
    p_operation_id,
    p_lease,
    company_ids,
    places,
    observation_ids,
    '{}'::text[],
    null::jsonb,
    null::text,
    null::timestamptz,
    p_limit,
    p_unit,
    p_result,
    p_next_cursor,
    p_next,
    p_refresh_hostnames,
    p_fresh_observation_ids,
    p_now
  );
  if p_key_hash is not null and answer ->> 'outcome' = 'found' then
    answer := read_operation(p_key_hash, p_operation_id, true, p_now);
  end if;
  return last_version_answer(answer);
end $$;

CREATE FUNCTION public.settle_operation(p_key_hash bytea, p_operation_id bigint, p_lease uuid, p_company_ids bigint[], p_places integer[], p_observation_ids bigint[], p_known text[], p_limit integer, p_unit text, p_result jsonb, p_next_cursor text, p_next jsonb, p_refresh_hostnames text[], p_fresh_observation_ids bigint[], p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS $$
begin
  return settle_operation(
    p_key_hash,
    p_operation_id,
    p_lease,
    p_company_ids,
    p_places,
    p_observation_ids,
    p_known,
    null::jsonb,
    null::text,
    null::timestamptz,
    p_limit,
    p_unit,
    p_result,
    p_next_cursor,
    p_next,
    p_refresh_hostnames,
    p_fresh_observation_ids,
    p_now
  );
end $$;

CREATE FUNCTION public.settle_operation(p_key_hash bytea, p_operation_id bigint, p_lease uuid, p_company_ids bigint[], p_places integer[], p_observation_ids bigint[], p_known text[], p_page jsonb, p_moment text, p_expires_at timestamp with time zone, p_limit integer, p_unit text, p_result jsonb, p_next_cursor text, p_next jsonb, p_refresh_hostnames text[], p_fresh_observation_ids bigint[], p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
declare
  at timestamptz := coalesce(p_now, now());
  c caller;
  o operations;
  a allowances;
  picked record;
  more boolean;
begin
  select * into strict o from operations where id = p_operation_id;
  picked := deliverable_entries(
    p_company_ids,
    p_places,
    p_observation_ids,
    p_known,
    o.start_position,
    p_limit,
    entry_filters(o),
    p_fresh_observation_ids,
    p_key_hash is not null,
    o.shows_hostnames is distinct from false,
    -- A foreseen page is used only if the answer holds nothing else: no hostnames and no fresh
    -- evidence.
    case when o.start_position = 0 and p_key_hash is not null and p_fresh_observation_ids = '{}'
      and not o.shows_hostnames then p_page end,
    p_moment,
    p_expires_at
  );
  more := p_next_cursor is not null
    and (p_next is not null or picked.next_position is not null);

  update operations set
    status = 'delivered',
    finished_at = at,
    lease_token = null,
    lease_expires_at = null,
    request_units = 1,
    delivered_units = units_of(p_unit, picked.companies, picked.observations),
    fresh_evidence_units = picked.fresh,
    result = stored_result(at, p_result, picked.entries),
    next_cursor = case when more then p_next_cursor end,
    -- If p_next is stored for the next page, the position of that page is 0.
    next_position = case when more then coalesce(picked.next_position, 0) end
  -- A lease token implies the status `processing`, so the status is not checked.
  where id = p_operation_id and lease_token = p_lease
  returning * into o;
  if not found then
    select * into strict o from operations where id = p_operation_id;
    return settlement_answer(p_key_hash, o, at);
  end if;
  if more and (p_next is not null or o.shortlist_id is null) then
    if p_next is null then
      insert into shortlists (operation_id, facts, company_ids, places, observation_ids)
      values (o.id, p_result, p_company_ids, p_places, p_observation_ids);
    else
      insert into shortlists (operation_id, body) values (o.id, p_next);
    end if;
  end if;
  perform write_settlement(o);
  if o.message_id is not null then perform pgmq.delete('operations', o.message_id); end if;
  if p_refresh_hostnames <> '{}' then perform queue_refreshes(p_refresh_hostnames, at); end if;
  if p_key_hash is not null then c := caller_of_key(p_key_hash, at); end if;
  -- release_units() comes last, because it locks the row that all requests of the subscription
  -- share.
  a := release_units(o);

  if p_key_hash is null then return background_outcome('settled', o); end if;
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  return settled_answer(
    o, allowance_json(c, a, at), picked.confirmed, picked.confirmation, picked.shown);
end $$;

CREATE FUNCTION public.settled_answer(o public.operations, p_allowance json, p_confirmed boolean, p_confirmation json, p_shown json) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
begin
  if p_confirmed then
    return json_build_object(
      'outcome', 'confirmed',
      'operation', operation_json(o),
      'as_of', o.result -> 'as_of',
      'next_cursor', o.next_cursor,
      'confirmation', p_confirmation,
      'allowance', p_allowance
    );
  end if;
  return operation_answer('settled', o, p_allowance, p_shown);
end $$;

CREATE FUNCTION public.settled_units(p_subscription_id bigint, p_window_start timestamp with time zone, p_week_start timestamp with time zone, OUT window_request_units integer, OUT window_delivered_units integer, OUT window_fresh_evidence_units integer, OUT week_request_units integer, OUT week_delivered_units integer, OUT week_fresh_evidence_units integer) RETURNS record
    LANGUAGE sql STABLE
    AS $$
  select
    coalesce(sum(request_units) filter (where window_start >= p_window_start), 0),
    coalesce(sum(delivered_units) filter (where window_start >= p_window_start), 0),
    coalesce(sum(fresh_evidence_units) filter (where window_start >= p_window_start), 0),
    coalesce(sum(request_units) filter (where week_start >= p_week_start), 0),
    coalesce(sum(delivered_units) filter (where week_start >= p_week_start), 0),
    coalesce(sum(fresh_evidence_units) filter (where week_start >= p_week_start), 0)
  from ledger
  where subscription_id = p_subscription_id
    and (window_start >= p_window_start or week_start >= p_week_start)
$$;

CREATE FUNCTION public.settlement_answer(p_key_hash bytea, o public.operations, p_at timestamp with time zone) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
declare
  c caller;
begin
  if p_key_hash is null then return json_build_object('outcome', 'found'); end if;
  c := caller_of_key(p_key_hash, p_at);
  if c.account_id is null then return refusal('invalid_api_key'); end if;
  return replayed_answer('found', o, c, false, p_at);
end $$;

CREATE FUNCTION public.share_business(m public.company_join_names, k public.company_join_names) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
  select (m.sectors || m.likely_sectors) && (k.sectors || k.likely_sectors)
$$;

CREATE FUNCTION public.show_company(p_id bigint) RETURNS json
    LANGUAGE sql STABLE
    AS $$
  select json_build_object(
    'id', c.id,
    'name', c.name,
    'created_at', instant(c.created_at),
    'suppressed_at', instant(c.suppressed_at),
    'merged_into', c.merged_into,
    'observations', (select count(*) from observations o where o.company_id = c.id),
    'deliverable', (select count(*) from deliverable_observations o where o.company_id = c.id),
    'external_ids', (
      select coalesce(json_agg(json_build_object(
        'source', s.name, 'external_id', x.external_id, 'name', x.name
      ) order by s.name, x.external_id), '[]')
      from company_external_ids x join sources s on s.id = x.source_id
      where x.company_id = c.id
    ),
    'identifiers', (
      select coalesce(json_agg(json_build_object(
        'scheme', i.scheme, 'value', i.value, 'source', s.name
      ) order by i.scheme), '[]')
      from company_identifiers i join sources s on s.id = i.source_id
      where i.company_id = c.id
    ),
    'names', (
      select coalesce(json_agg(json_build_object(
        'source', s.name, 'normalized_name', n.normalized_name, 'legal_form', n.legal_form,
        'country', n.country
      ) order by s.name, n.normalized_name, n.legal_form, n.country), '[]')
      from company_names n join sources s on s.id = n.source_id
      where n.company_id = c.id
    ),
    'hostnames', (
      select coalesce(json_agg(json_build_object(
        'hostname', d.hostname, 'active', cd.active
      ) order by d.hostname), '[]')
      from company_domains cd join domains d on d.id = cd.domain_id
      where cd.company_id = c.id
    ),
    'merges', (
      select coalesce(json_agg(merge_report(m) order by m.id), '[]')
      from company_merges m
      where c.id in (m.kept_id, m.merged_id)
    )
  )
  from companies c
  where c.id = p_id
$$;

CREATE FUNCTION public.shown_json(p_ids bigint[], p_company_ids bigint[], p_company_names text[], p_revisions text[], p_lacking bigint[], p_hostnames boolean) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
declare
  bodies json;
  hostnames json;
begin
  if p_lacking is not null then bodies := observation_bodies(p_lacking); end if;
  if p_hostnames then hostnames := observation_hostnames(p_ids, p_company_ids); end if;
  return json_build_object(
    'ids', coalesce(p_ids, '{}'),
    'company_ids', p_company_ids,
    'company_names', p_company_names,
    'revisions', p_revisions,
    'bodies', bodies,
    'hostnames', hostnames
  );
end $$;

CREATE FUNCTION public.shown_observations(p_ids bigint[], p_bodies boolean, p_hostnames boolean) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
declare
  ids bigint[];
  company_ids bigint[];
  company_names text[];
  revisions text[];
begin
  select
    array_agg(o.id),
    array_agg(o.company_id),
    array_agg(o.company_name),
    array_agg(o.revision)
  into ids, company_ids, company_names, revisions
  from (
    select
      o.id,
      o.company_id,
      o.company_name,
      observation_revision(o.change_seq, o.last_seen_at) as revision
    from unnest(p_ids) with ordinality u (id, place)
    join deliverable_observations o on o.id = u.id
    order by u.place
  ) o;
  return shown_json(
    ids, company_ids, company_names, revisions, case when p_bodies then ids end, p_hostnames);
end $$;

CREATE FUNCTION public.split_company(p_merge_id bigint) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  merge company_merges;
  further bigint;
  moved_back integer;
begin
  perform advance_dataset_clock();
  select * into merge from company_merges where id = p_merge_id;
  if not found then return null; end if;
  if merge.undone_at is not null then
    return json_build_object('refused', format('merge %s was undone before', merge.id));
  end if;
  select m.id into further from company_merges m
  where m.merged_id = merge.kept_id and m.undone_at is null;
  if found then
    return json_build_object('refused', format(
      'company %s was merged further by merge %s: undo that first', merge.kept_id, further
    ));
  end if;

  moved_back := undo_merge(merge);
  return json_build_object(
    'merge', merge.id, 'kept', merge.kept_id, 'returned', merge.merged_id,
    'observations', moved_back
  );
end $$;

CREATE FUNCTION public.stay_apart(p_one bigint, p_other bigint) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
begin
  return differing_scheme(p_one, p_other) is not null or exists (
    select from company_merges m
    cross join lateral (select kept_company(m.kept_id) as kept, kept_company(m.merged_id) as merged) c
    where m.undone_at is not null and (c.kept, c.merged) in ((p_one, p_other), (p_other, p_one))
  );
end $$;

CREATE FUNCTION public.store_embeddings(p_model_id integer, p_lease uuid, p_seconds integer, p_dimensions integer, p_rows jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
  model embedding_models;
begin
  update embedding_models set
    stored_seq = stored_seq + 1,
    dimensions = coalesce(dimensions, p_dimensions),
    leased_until = clock_timestamp() + make_interval(secs => p_seconds)
  where id = p_model_id and lease_token = p_lease
  returning * into model;
  if not found then
    return;
  end if;
  if p_dimensions <> model.dimensions then
    raise exception 'vectors of other dimensions than the model''s';
  end if;
  insert into observation_embeddings
    (model_id, observation_id, content_key, vector, scale, stored_seq)
  select
    p_model_id,
    (r ->> 'observation_id')::bigint,
    decode(r ->> 'content_key', 'hex'),
    decode(r ->> 'vector', 'base64'),
    (r ->> 'scale')::real,
    model.stored_seq
  from jsonb_array_elements(p_rows) r
  on conflict (model_id, observation_id) do update set
    content_key = excluded.content_key,
    vector = excluded.vector,
    scale = excluded.scale,
    stored_seq = excluded.stored_seq;
end $$;

CREATE FUNCTION public.store_model(p_format integer, p_documents integer, p_body bytea) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
declare
  model_id bigint;
begin
  insert into semantic_models (format, documents, body) values (p_format, p_documents, p_body)
  returning id into model_id;
  delete from semantic_models where id < model_id and format <= p_format;
  update semantic_learning set leased_until = '-infinity';
  return model_id;
end $$;

CREATE FUNCTION public.stored_result(p_at timestamp with time zone, p_facts jsonb, p_entries jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
  select jsonb_build_object('as_of', instant(p_at)) || p_facts
    || jsonb_build_object('entries', p_entries)
$$;

CREATE TABLE public.subscriptions (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    plan text NOT NULL,
    status text NOT NULL,
    current_period_start timestamp with time zone NOT NULL,
    current_period_end timestamp with time zone NOT NULL,
    CONSTRAINT subscriptions_period_order CHECK ((current_period_end > current_period_start)),
    CONSTRAINT subscriptions_status_known CHECK ((status = ANY (ARRAY['trialing'::text, 'active'::text, 'past_due'::text, 'paused'::text, 'canceled'::text])))
);

CREATE FUNCTION public.subscription_of_key(p_key_hash bytea, p_at timestamp with time zone) RETURNS SETOF public.subscriptions
    LANGUAGE sql STABLE
    AS $$
  select s.*
  from api_keys k
  join subscriptions s on s.account_id = k.account_id
  where k.hash = p_key_hash and k.revoked_at is null
    and (k.expires_at is null or k.expires_at > p_at)
$$;

CREATE FUNCTION public.subscription_report(p_subscription_id bigint, p_at timestamp with time zone) RETURNS TABLE(subscription json, limits json)
    LANGUAGE sql STABLE
    AS $$
  select
    json_build_object(
      'plan', p.name,
      'status', s.status,
      'current_period_start', instant(t.period_start),
      'current_period_end', instant(t.period_end)
    ),
    json_build_object(
      'request_units', p.request_units,
      'weekly_request_units', p.weekly_request_units,
      'delivered_units', p.delivered_units,
      'weekly_delivered_units', p.weekly_delivered_units
    )
  from subscriptions s
  join plans p on p.name = s.plan
  cross join lateral subscription_terms(
    s.status, s.current_period_start, s.current_period_end, p.window_seconds, p_at) t
  where s.id = p_subscription_id
$$;

CREATE FUNCTION public.subscription_terms(p_status text, p_anchor timestamp with time zone, p_end timestamp with time zone, p_window_seconds integer, p_at timestamp with time zone) RETURNS TABLE(entitled boolean, period_start timestamp with time zone, period_end timestamp with time zone, window_start timestamp with time zone, window_end timestamp with time zone, week_start timestamp with time zone, week_end timestamp with time zone)
    LANGUAGE sql STABLE
    AS $$
  select
    is_entitled(p_status, p_anchor, p_end, p_at),
    p.period_start,
    p.period_end,
    c.window_start,
    c.window_start + c.window_length,
    c.week_start,
    least(c.week_start + interval '7 days', p.period_end)
  from (
    select
      p_anchor + make_interval(months => m.months) as period_start,
      case p_status
        when 'active' then p_anchor + make_interval(months => m.months + 1)
        else p_end
      end as period_end
    from (
      select case
        when p_status = 'active' and p_at >= p_anchor + interval '1 month'
          then months_between(p_anchor, p_at)
        else 0
      end as months
      offset 0
    ) m
    offset 0
  ) p
  cross join lateral (
    select
      l.window_length,
      date_bin(l.window_length, p_at, timestamptz 'epoch') as window_start,
      date_bin('7 days', greatest(p_at, p.period_start), p.period_start) as week_start
    from (select make_interval(secs => p_window_seconds) as window_length offset 0) l
    offset 0
  ) c
$$;

CREATE FUNCTION public.suppress_company(p_id bigint) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  touched bigint[];
begin
  perform advance_dataset_clock();
  p_id := kept_company(p_id);
  update companies set suppressed_at = (select recorded_at from dataset_clock) where id = p_id;
  if not found then return null; end if;
  touched := array(select id from observations where company_id = p_id);
  perform touch_observations(touched);
  return json_build_object('company', p_id, 'observations', cardinality(touched));
end $$;

CREATE FUNCTION public.sweep_operations(p_retention_days integer, p_most integer, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  at timestamptz := coalesce(p_now, now());
  o operations;
  due_subscription_id bigint;
  overdue integer := 0;
  taken_over integer := 0;
  retired integer := 0;
begin
  -- Locks one subscription after the other. If another transaction has locked its allowances, a
  -- later sweep expires its overdue operations. Overdue operations of other subscriptions are not
  -- delayed.
  for due_subscription_id in
    select distinct subscription_id from operations
    where status in ('pending', 'processing') and deadline_at <= at
    order by subscription_id
  loop
    exit when overdue >= p_most;
    perform from allowances where subscription_id = due_subscription_id for update skip locked;
    continue when not found;
    for o in
      select * from operations
      where status in ('pending', 'processing')
        and deadline_at <= at
        and subscription_id = due_subscription_id
      order by id
      limit p_most - overdue
      for update skip locked
    loop
      perform expire_operation(o.id, at);
      overdue := overdue + 1;
    end loop;
  end loop;

  -- An expired lease without a message belonged to a synchronous request, whose process has died.
  -- If there is a message, the queue itself delivers it again.
  for o in
    update operations set status = 'pending', lease_token = null, lease_expires_at = null
    where id in (
      select id from operations
      where status = 'processing' and lease_expires_at <= at and message_id is null
      order by id
      limit p_most
      for update skip locked
    )
    returning *
  loop
    perform queue_operation(o, 0);
    taken_over := taken_over + 1;
  end loop;

  for o in
    select * from operations
    where status = 'delivered' and finished_at <= at - make_interval(days => p_retention_days)
    order by finished_at
    limit p_most
    for update skip locked
  loop
    perform expire_operation(o.id, at);
    retired := retired + 1;
  end loop;

  return json_build_object('expired', overdue, 'taken_over', taken_over, 'retired', retired);
end $$;

CREATE FUNCTION public.take_moments(p_count bigint) RETURNS timestamp with time zone
    LANGUAGE sql
    AS $$
  update dataset_clock c
  set recorded_at = next.moment, taken_at = next.moment
  from (
    select greatest(d.recorded_at, d.taken_at + ceil(p_count / 1000.0) * interval '1 millisecond')
      as moment
    from dataset_clock d
  ) next
  returning next.moment - p_count * interval '1 microsecond'
$$;

CREATE FUNCTION public.take_operation(p_lease uuid, p_lease_seconds integer, p_now timestamp with time zone) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  m pgmq.message_record;
  operation_id bigint;
  leased json;
begin
  -- The message stays hidden as long as the lease lasts. Otherwise another worker would read it,
  -- and find the operation busy.
  select * into m from pgmq.read('operations', p_lease_seconds + 1, 1);
  if not found then return null; end if;
  operation_id := named_operation(m.message);
  if operation_id is null then
    perform pgmq.archive('operations', m.msg_id);
    leased := json_build_object('outcome', 'unreadable');
  else
    leased := lease_operation(
      m.msg_id, m.read_ct, operation_id, p_lease, p_lease_seconds, p_now);
  end if;
  return json_build_object(
    'message_id', m.msg_id,
    'read_ct', m.read_ct,
    'operation_id', operation_id,
    'leased', leased
  );
end $$;

CREATE FUNCTION public.touch_observations(p_ids bigint[]) RETURNS void
    LANGUAGE sql
    AS $$
  update observations o set change_seq = clock.change_seq
  from dataset_clock clock
  where o.id = any(p_ids)
$$;

CREATE FUNCTION public.uncount_read(p_message_id bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  update pgmq.q_operations set read_ct = greatest(read_ct - 1, 0) where msg_id = p_message_id;
end $$;

CREATE FUNCTION public.undo_joins_by_name(p_company_id bigint) RETURNS bigint[]
    LANGUAGE plpgsql
    AS $$
declare
  merge company_merges;
  apart bigint[] := '{}';
begin
  for merge in
    select * from company_merges m
    where m.kept_id = p_company_id and m.by_name and m.undone_at is null
    order by m.id desc
  loop
    perform undo_merge(merge);
    apart := apart || merge.merged_id || p_company_id || undo_joins_by_name(merge.merged_id);
  end loop;
  return apart;
end $$;

CREATE FUNCTION public.undo_merge(merge public.company_merges) RETURNS integer
    LANGUAGE plpgsql
    AS $$
declare
  moved_back integer;
begin
  update company_merges set undone_at = clock.recorded_at
  from dataset_clock clock where id = merge.id;
  update companies set merged_into = null where id = merge.merged_id;
  moved_back := return_observations(merge);
  perform return_identities(merge);
  perform return_domains(merge);
  perform return_suppression(merge);
  return moved_back;
end $$;

CREATE FUNCTION public.united(p_one text[], p_other text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $$
  select array(select unnest(p_one) union select unnest(p_other) order by 1 limit 200)
$$;

CREATE FUNCTION public.units_in_use(c public.caller) RETURNS public.allowances
    LANGUAGE plpgsql STABLE
    AS $$
declare
  a allowances;
begin
  select * into a from allowances where subscription_id = c.subscription_id;
  if a.window_start = c.window_start and a.week_start = c.week_start then return a; end if;
  a.window_start := c.window_start;
  a.week_start := c.week_start;
  select
    l.window_request_units,
    l.window_delivered_units,
    l.window_fresh_evidence_units,
    l.week_request_units,
    l.week_delivered_units,
    l.week_fresh_evidence_units
  into
    a.window_request_units,
    a.window_delivered_units,
    a.window_fresh_evidence_units,
    a.week_request_units,
    a.week_delivered_units,
    a.week_fresh_evidence_units
  from settled_units(c.subscription_id, c.window_start, c.week_start) l;
  select
    r.window_request_units,
    r.window_delivered_units,
    r.week_request_units,
    r.week_delivered_units
  into
    a.window_reserved_request_units,
    a.window_reserved_delivered_units,
    a.week_reserved_request_units,
    a.week_reserved_delivered_units
  from reserved_units(c.subscription_id, c.window_start, c.week_start, null) r;
  return a;
end $$;

CREATE FUNCTION public.units_of(p_unit text, p_companies integer, p_observations integer) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$
  select case p_unit when 'company' then p_companies when 'observation' then p_observations end
$$;

CREATE FUNCTION public.validate_excerpts() RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  if exists (
    select from pg_constraint c where c.conname = 'evidence_excerpt_length' and not c.convalidated
  ) then
    alter table evidence validate constraint evidence_excerpt_length;
  end if;
end $$;

CREATE FUNCTION public.verify_usage() RETURNS TABLE(subscription_id bigint, operation_id bigint, what text, expected bigint, actual bigint)
    LANGUAGE sql STABLE
    AS $$
  -- Compares counters with the ledger and the unfinished operations.
  select a.subscription_id, null::bigint, counter.what, counter.expected, counter.actual
  from allowances a
  cross join lateral settled_units(a.subscription_id, a.window_start, a.week_start) l
  cross join lateral reserved_units(a.subscription_id, a.window_start, a.week_start, null) r
  cross join lateral (values
    ('window_request_units', l.window_request_units, a.window_request_units),
    ('window_delivered_units', l.window_delivered_units, a.window_delivered_units),
    ('window_fresh_evidence_units', l.window_fresh_evidence_units, a.window_fresh_evidence_units),
    ('week_request_units', l.week_request_units, a.week_request_units),
    ('week_delivered_units', l.week_delivered_units, a.week_delivered_units),
    ('week_fresh_evidence_units', l.week_fresh_evidence_units, a.week_fresh_evidence_units),
    ('window_reserved_request_units', r.window_request_units, a.window_reserved_request_units),
    ('window_reserved_delivered_units', r.window_delivered_units, a.window_reserved_delivered_units),
    ('week_reserved_request_units', r.week_request_units, a.week_reserved_request_units),
    ('week_reserved_delivered_units', r.week_delivered_units, a.week_reserved_delivered_units),
    ('reserved_request_units', r.request_units, a.reserved_request_units),
    ('reserved_delivered_units', r.delivered_units, a.reserved_delivered_units)
  ) counter (what, expected, actual)
  where counter.expected <> counter.actual
  union all
  -- Compares settled operations with their ledger rows, in both directions, and both with the
  -- subscription.
  select
    coalesce(o.subscription_id, l.subscription_id),
    coalesce(o.id, l.operation_id),
    units.what,
    units.expected,
    units.actual
  from (select * from operations where request_units > 0) o
  full join ledger l on l.operation_id = o.id
  left join subscriptions s on s.id = o.subscription_id
  cross join lateral (values
    ('operation_account_id', s.account_id, o.account_id),
    ('ledger_subscription_id', o.subscription_id, l.subscription_id),
    ('settled_request_units', coalesce(l.request_units, 0), coalesce(o.request_units, 0)),
    ('settled_delivered_units', coalesce(l.delivered_units, 0), coalesce(o.delivered_units, 0)),
    ('settled_fresh_evidence_units',
      coalesce(l.fresh_evidence_units, 0), coalesce(o.fresh_evidence_units, 0))
  ) units (what, expected, actual)
  where units.expected <> units.actual
$$;

CREATE FUNCTION public.withdraw_evidence(p_source_uri text) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
  touched bigint[];
begin
  perform advance_dataset_clock();
  insert into withdrawn_evidence_uris (source_uri) values (p_source_uri)
  on conflict (md5(source_uri)) do nothing;
  with withdrawn as (
    update evidence set withdrawn_at = now()
    where source_uri = p_source_uri and withdrawn_at is null
    returning observation_id
  )
  select coalesce(array_agg(distinct observation_id), '{}') into touched from withdrawn;
  perform touch_observations(touched);
  return json_build_object('evidence_uri', p_source_uri, 'observations', cardinality(touched));
end $$;

CREATE FUNCTION public.withdraw_observation(p_id bigint) RETURNS json
    LANGUAGE plpgsql
    AS $$
begin
  perform advance_dataset_clock();
  update observations set withdrawn_at = coalesce(withdrawn_at, now()) where id = p_id;
  if not found then return null; end if;
  perform touch_observations(array[p_id]);
  return json_build_object('observation', p_id, 'withdrawn', true);
end $$;

CREATE FUNCTION public.write_observations(p_records jsonb, p_places bigint[], p_ids bigint[], p_company_ids bigint[], p_change_seq bigint, p_recorded_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    AS $_$
begin
  execute $statement$
  with incoming as materialized (
    select
      coalesce(w.id, nextval('observations_id_seq')) as id,
      w.id is null as is_new,
      s.id as source_id,
      w.company_id,
      decode(r.content_hash, 'hex') as hash,
      r.*
    from rows from (
      jsonb_to_recordset($1) as (
        source text,
        external_id text,
        company_external_id text,
        company_identifiers text[],
        content_hash text,
        hostnames text[],
        kind text,
        observed_fact text,
        why_it_may_matter text,
        demand_class text,
        country text,
        confidence double precision,
        occurred_at timestamptz,
        observed_at timestamptz,
        expires_at timestamptz,
        categories text[],
        texts text[],
        facets jsonb,
        evidence jsonb
      )
    ) with ordinality r (
      source, external_id, company_external_id, company_identifiers, content_hash, hostnames, kind,
      observed_fact, why_it_may_matter, demand_class, country, confidence, occurred_at, observed_at,
      expires_at, categories, texts, facets, evidence, place
    )
    join unnest($2, $3, $4) w (place, id, company_id) using (place)
    join sources s on s.name = r.source
    -- New ids ascend with positions, whatever the plan of the statement.
    order by place
  ), inserted as (
    insert into observations (
      id, source_id, external_id, company_id, company_external_id, company_identifiers, kind,
      observed_fact, why_it_may_matter, demand_class, country, confidence, occurred_at, observed_at,
      expires_at, categories, texts, facets, content_hash, recorded_at, change_seq
    )
    overriding system value
    select
      id, source_id, external_id, company_id, company_external_id, nullif(company_identifiers, '{}'),
      kind, observed_fact, why_it_may_matter, demand_class, country, confidence, occurred_at,
      observed_at, expires_at, categories, coalesce(texts, '{}'), coalesce(facets, '{}'), hash,
      $6 + place * interval '1 microsecond', $5
    from incoming
    where is_new
    order by place
  ), updated as (
    update observations o set
      company_id = i.company_id,
      company_external_id = i.company_external_id,
      company_identifiers = nullif(i.company_identifiers, '{}'),
      kind = i.kind,
      observed_fact = i.observed_fact,
      why_it_may_matter = i.why_it_may_matter,
      demand_class = i.demand_class,
      country = i.country,
      confidence = i.confidence,
      occurred_at = i.occurred_at,
      observed_at = i.observed_at,
      expires_at = i.expires_at,
      categories = i.categories,
      texts = coalesce(i.texts, '{}'),
      facets = coalesce(i.facets, '{}'),
      content_hash = i.hash,
      recorded_at = $6 + i.place * interval '1 microsecond',
      last_seen_at = null,
      gone_at = null,
      change_seq = $5
    from incoming i
    where o.id = i.id and not i.is_new
  ), unsupported as (
    delete from observation_domains od using incoming i
    where od.observation_id = i.id and not i.is_new and od.domain_id not in (
      select d.id from domains d where d.hostname = any(i.hostnames)
    )
  ), supported as (
    insert into observation_domains (observation_id, domain_id)
    select i.id, d.id
    from incoming i
    cross join lateral unnest(i.hostnames) h (hostname)
    join domains d on d.hostname = h.hostname
    on conflict do nothing
  ), replaced as (
    delete from evidence e using incoming i where e.observation_id = i.id and not i.is_new
  )
  insert into evidence
    (observation_id, source_uri, excerpt, occurred_at, observed_at, withdrawn_at)
  select
    i.id,
    e.source_uri,
    -- A replica of an earlier version may still send whole documents as excerpts.
    case when length(e.excerpt) > 600 then left(e.excerpt, 599) || '…' else e.excerpt end,
    e.occurred_at,
    e.observed_at,
    (
      select w.withdrawn_at from withdrawn_evidence_uris w
      where md5(w.source_uri) = md5(e.source_uri)
    )
  from incoming i
  cross join lateral rows from (
    jsonb_to_recordset(i.evidence) as (
      source_uri text,
      excerpt text,
      occurred_at timestamptz,
      observed_at timestamptz
    )
  ) with ordinality e (source_uri, excerpt, occurred_at, observed_at, place)
  order by i.place, e.place
  $statement$ using p_records, p_places, p_ids, p_company_ids, p_change_seq, p_recorded_at;
end $_$;

CREATE FUNCTION public.write_settlement(o public.operations) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
  insert into ledger (
    operation_id,
    subscription_id,
    request_units,
    delivered_units,
    fresh_evidence_units,
    window_start,
    week_start,
    settled_at
  ) values (
    o.id,
    o.subscription_id,
    o.request_units,
    o.delivered_units,
    o.fresh_evidence_units,
    o.window_start,
    o.week_start,
    o.finished_at
  );
end $$;

CREATE TABLE pgmq.a_operations (
    msg_id bigint NOT NULL,
    read_ct integer DEFAULT 0 NOT NULL,
    enqueued_at timestamp with time zone DEFAULT now() NOT NULL,
    last_read_at timestamp with time zone,
    archived_at timestamp with time zone DEFAULT now() NOT NULL,
    vt timestamp with time zone NOT NULL,
    message jsonb,
    headers jsonb
);

CREATE TABLE pgmq.a_refreshes (
    msg_id bigint NOT NULL,
    read_ct integer DEFAULT 0 NOT NULL,
    enqueued_at timestamp with time zone DEFAULT now() NOT NULL,
    last_read_at timestamp with time zone,
    archived_at timestamp with time zone DEFAULT now() NOT NULL,
    vt timestamp with time zone NOT NULL,
    message jsonb,
    headers jsonb
);

CREATE TABLE pgmq.meta (
    queue_name character varying NOT NULL,
    is_partitioned boolean NOT NULL,
    is_unlogged boolean NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE UNLOGGED TABLE pgmq.notify_insert_throttle (
    queue_name character varying NOT NULL,
    throttle_interval_ms integer DEFAULT 0 NOT NULL,
    last_notified_at timestamp with time zone DEFAULT to_timestamp((0)::double precision) NOT NULL
);

CREATE TABLE pgmq.q_operations (
    msg_id bigint NOT NULL,
    read_ct integer DEFAULT 0 NOT NULL,
    enqueued_at timestamp with time zone DEFAULT now() NOT NULL,
    last_read_at timestamp with time zone,
    vt timestamp with time zone NOT NULL,
    message jsonb,
    headers jsonb
);

ALTER TABLE pgmq.q_operations ALTER COLUMN msg_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pgmq.q_operations_msg_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE pgmq.q_refreshes (
    msg_id bigint NOT NULL,
    read_ct integer DEFAULT 0 NOT NULL,
    enqueued_at timestamp with time zone DEFAULT now() NOT NULL,
    last_read_at timestamp with time zone,
    vt timestamp with time zone NOT NULL,
    message jsonb,
    headers jsonb
);

ALTER TABLE pgmq.q_refreshes ALTER COLUMN msg_id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME pgmq.q_refreshes_msg_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE pgmq.topic_bindings (
    pattern text NOT NULL,
    queue_name text NOT NULL,
    bound_at timestamp with time zone DEFAULT now() NOT NULL,
    compiled_regex text GENERATED ALWAYS AS ((('^'::text || replace(replace(regexp_replace(pattern, '([.+?{}()|\[\]\\^$])'::text, '\\\1'::text, 'g'::text), '*'::text, '[^.]+'::text), '#'::text, '.*'::text)) || '$'::text)) STORED
);

CREATE TABLE public.accounts (
    id bigint NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    is_demo boolean DEFAULT false NOT NULL,
    CONSTRAINT accounts_name_length CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);

ALTER TABLE public.accounts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.accounts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.api_keys (
    id bigint NOT NULL,
    account_id bigint NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp with time zone,
    prefix text,
    last_used_on date,
    expires_at timestamp with time zone,
    CONSTRAINT api_keys_hash_length CHECK ((length(hash) = 32))
);

ALTER TABLE public.api_keys ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.api_keys_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.companies ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.companies_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.company_domains (
    domain_id bigint NOT NULL,
    company_id bigint NOT NULL,
    active boolean DEFAULT true NOT NULL
);

CREATE TABLE public.company_external_ids (
    source_id integer NOT NULL,
    external_id text NOT NULL,
    company_id bigint NOT NULL,
    name text NOT NULL
);

ALTER TABLE public.company_merges ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.company_merges_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.company_names (
    source_id integer NOT NULL,
    normalized_name text NOT NULL,
    country text NOT NULL,
    company_id bigint NOT NULL,
    legal_form text DEFAULT ''::text NOT NULL
);

CREATE TABLE public.dataset_clock (
    only_row boolean DEFAULT true NOT NULL,
    change_seq bigint DEFAULT 0 NOT NULL,
    recorded_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    dataset_id uuid DEFAULT gen_random_uuid() NOT NULL,
    visible_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    taken_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT dataset_clock_one_row CHECK (only_row)
);

CREATE TABLE public.domains (
    id bigint NOT NULL,
    hostname text NOT NULL,
    CONSTRAINT domains_hostname_form CHECK (((hostname ~ '^[^[:upper:][:space:]/@:]+[^.]$'::text) AND (length(hostname) <= 253)))
);

CREATE TABLE public.observation_domains (
    observation_id bigint NOT NULL,
    domain_id bigint NOT NULL
);

CREATE VIEW public.deliverable_domains AS
 SELECT cd.company_id,
    cd.domain_id,
    d.hostname,
    o.id AS observation_id
   FROM (((public.company_domains cd
     JOIN public.domains d ON ((d.id = cd.domain_id)))
     JOIN public.observation_domains od ON ((od.domain_id = cd.domain_id)))
     JOIN public.deliverable_observations o ON (((o.id = od.observation_id) AND (o.company_id = cd.company_id))))
  WHERE cd.active;

ALTER TABLE public.domains ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.domains_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.embedding_models (
    id integer NOT NULL,
    name text NOT NULL,
    format integer NOT NULL,
    dimensions integer,
    change_seq bigint DEFAULT 0 NOT NULL,
    observation_id bigint DEFAULT 0 NOT NULL,
    stored_seq bigint DEFAULT 0 NOT NULL,
    ready_at timestamp with time zone,
    lease_token uuid,
    leased_until timestamp with time zone,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    expired_at timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    expired_id bigint DEFAULT 0 NOT NULL,
    CONSTRAINT embedding_models_dimensions CHECK (((dimensions >= 1) AND (dimensions <= 8192))),
    CONSTRAINT embedding_models_lease CHECK (((lease_token IS NULL) = (leased_until IS NULL))),
    CONSTRAINT embedding_models_ready CHECK (((ready_at IS NULL) OR (dimensions IS NOT NULL)))
);

ALTER TABLE public.embedding_models ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.embedding_models_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.evidence ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.evidence_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.hostname_refreshes (
    source_id integer NOT NULL,
    hostname text NOT NULL,
    queued_at timestamp with time zone NOT NULL
);

CREATE TABLE public.ledger (
    id bigint NOT NULL,
    operation_id bigint NOT NULL,
    subscription_id bigint NOT NULL,
    request_units integer NOT NULL,
    delivered_units integer NOT NULL,
    fresh_evidence_units integer NOT NULL,
    window_start timestamp with time zone NOT NULL,
    week_start timestamp with time zone NOT NULL,
    settled_at timestamp with time zone NOT NULL,
    CONSTRAINT ledger_units CHECK (((request_units > 0) AND (delivered_units >= 0) AND (fresh_evidence_units >= 0)))
);

ALTER TABLE public.ledger ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.ledger_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.migrations (
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.observation_embeddings (
    model_id integer NOT NULL,
    observation_id bigint NOT NULL,
    content_key bytea NOT NULL,
    vector bytea,
    scale real,
    stored_seq bigint NOT NULL,
    CONSTRAINT observation_embeddings_whole CHECK (((vector IS NULL) = (scale IS NULL)))
);

ALTER TABLE public.observations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.observations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.operations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.operations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.plans (
    name text NOT NULL,
    page_limit integer NOT NULL,
    window_seconds integer NOT NULL,
    request_units integer NOT NULL,
    weekly_request_units integer NOT NULL,
    delivered_units integer NOT NULL,
    weekly_delivered_units integer NOT NULL,
    CONSTRAINT plans_page_limit_range CHECK (((page_limit >= 1) AND (page_limit <= 100))),
    CONSTRAINT plans_units_not_negative CHECK ((LEAST(request_units, weekly_request_units, delivered_units, weekly_delivered_units) >= 0)),
    CONSTRAINT plans_window_seconds_range CHECK (((window_seconds >= 1) AND (window_seconds <= 604800)))
);

CREATE TABLE public.relisted_observations (
    domain_id bigint NOT NULL,
    observation_id bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL
);

CREATE TABLE public.search_tables (
    only_row boolean DEFAULT true NOT NULL,
    serving text,
    served_since timestamp with time zone,
    filling text,
    lease_token uuid,
    leased_until timestamp with time zone,
    CONSTRAINT search_tables_filling CHECK (((filling = ANY (ARRAY['a'::text, 'b'::text])) AND (filling <> serving))),
    CONSTRAINT search_tables_lease CHECK (((lease_token IS NULL) = (leased_until IS NULL))),
    CONSTRAINT search_tables_one_row CHECK (only_row),
    CONSTRAINT search_tables_served CHECK (((serving IS NULL) = (served_since IS NULL))),
    CONSTRAINT search_tables_serving CHECK ((serving = ANY (ARRAY['a'::text, 'b'::text])))
);

CREATE TABLE public.semantic_learning (
    only_row boolean DEFAULT true NOT NULL,
    leased_until timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT semantic_learning_one_row CHECK (only_row)
);

CREATE TABLE public.semantic_models (
    id bigint NOT NULL,
    format integer NOT NULL,
    documents integer NOT NULL,
    body bytea NOT NULL,
    learned_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.semantic_models ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.semantic_models_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.source_feeds (
    id integer NOT NULL,
    source_id integer NOT NULL,
    target text DEFAULT ''::text NOT NULL,
    company jsonb,
    refresh_interval interval NOT NULL,
    due_at timestamp with time zone NOT NULL,
    lease_token uuid,
    leased_until timestamp with time zone,
    validators jsonb,
    run_started_at timestamp with time zone,
    seen_after timestamp with time zone,
    checkpoint jsonb,
    believed boolean DEFAULT false NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    last_started_at timestamp with time zone,
    last_succeeded_at timestamp with time zone,
    last_outcome text,
    last_error text,
    last_counts jsonb,
    CONSTRAINT source_feeds_interval_least CHECK ((refresh_interval >= '00:01:00'::interval)),
    CONSTRAINT source_feeds_lease CHECK (((lease_token IS NULL) = (leased_until IS NULL))),
    CONSTRAINT source_feeds_outcome_known CHECK ((last_outcome = ANY (ARRAY['complete'::text, 'not_modified'::text, 'suspicious'::text, 'failed'::text]))),
    CONSTRAINT source_feeds_run CHECK ((((run_started_at IS NULL) = (seen_after IS NULL)) AND ((checkpoint IS NULL) OR (run_started_at IS NOT NULL))))
);

ALTER TABLE public.source_feeds ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.source_feeds_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.sources ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.sources_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE public.subscriptions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.subscriptions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.withdrawn_evidence_uris (
    id bigint NOT NULL,
    source_uri text NOT NULL,
    withdrawn_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.withdrawn_evidence_uris ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.withdrawn_evidence_uris_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

INSERT INTO pgmq.a_operations VALUES (3, 0, '2026-11-24 01:37:56.971126+00', NULL, '2026-11-24 01:37:56.97205+00', '2026-11-24 01:37:56.971506+00', '{}', NULL);

INSERT INTO pgmq.meta VALUES ('operations', false, false, '2026-11-24 01:37:55.778102+00');
INSERT INTO pgmq.meta VALUES ('refreshes', false, false, '2026-11-24 01:37:55.778102+00');

INSERT INTO pgmq.q_operations OVERRIDING SYSTEM VALUE VALUES (2, 0, '2026-11-24 01:37:56.958968+00', NULL, '2026-11-24 01:37:56.960519+00', '{"operation_id": 6}', NULL);

INSERT INTO pgmq.q_refreshes OVERRIDING SYSTEM VALUE VALUES (1, 0, '2026-11-24 01:37:56.940325+00', NULL, '2026-11-24 01:37:56.946122+00', '{"source": "homepage", "hostname": "unknown.example"}', NULL);

INSERT INTO public.accounts OVERRIDING SYSTEM VALUE VALUES (1, 'A customer', '2026-11-24 01:37:56.208336+00', false);
INSERT INTO public.accounts OVERRIDING SYSTEM VALUE VALUES (2, 'demo', '2026-11-24 01:37:56.212012+00', true);

INSERT INTO public.allowances VALUES (2, '-infinity', 0, 0, 0, 0, 0, '-infinity', 0, 0, 0, 0, 0, 0, 0);
INSERT INTO public.allowances VALUES (1, '2026-11-19 00:00:00+00', 3, 2, 0, 1, 10, '2026-11-24 01:37:56.208+00', 3, 2, 0, 1, 10, 1, 10);

INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (1, 1, 'production', '\x2c15cbf95eb460e609b6b3f4c2642e3fdf4f35a5f554d9f4c7f72443f2dfb1ca', '2026-11-24 01:37:56.210124+00', NULL, 'ce_XU19MQ', NULL, NULL);
INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (2, 1, 'revoked', '\xe674994c63ee0276a1feced6cdb002ba0b236c0cbb4cd960fa822c3cee3a6cb5', '2026-11-24 01:37:56.211245+00', '2026-11-24 01:37:56.211586+00', 'ce_rspcMy', NULL, NULL);
INSERT INTO public.api_keys OVERRIDING SYSTEM VALUE VALUES (3, 2, 'demo', '\xb9fbb162841b2b635052aedf33d5498ebad576b920ac7648c7dca49decb9519a', '2026-11-24 01:37:56.212798+00', NULL, 'ce_EkJFU3', NULL, NULL);

INSERT INTO public.companies OVERRIDING SYSTEM VALUE VALUES (1, 'Company 0', '2026-11-24 01:37:56.144798+00', NULL, NULL);
INSERT INTO public.companies OVERRIDING SYSTEM VALUE VALUES (2, 'Company 1', '2026-11-24 01:37:56.144798+00', NULL, NULL);
INSERT INTO public.companies OVERRIDING SYSTEM VALUE VALUES (3, 'Company 2', '2026-11-24 01:37:56.144798+00', NULL, NULL);
INSERT INTO public.companies OVERRIDING SYSTEM VALUE VALUES (4, 'Zyxon Quay Walls Inc.', '2026-11-24 01:37:56.144798+00', NULL, NULL);
INSERT INTO public.companies OVERRIDING SYSTEM VALUE VALUES (5, 'Twin', '2026-11-24 01:37:56.144798+00', NULL, 2);
INSERT INTO public.companies OVERRIDING SYSTEM VALUE VALUES (6, 'Demo Company', '2026-11-24 01:37:56.19616+00', NULL, NULL);

INSERT INTO public.company_domains VALUES (1, 1, true);
INSERT INTO public.company_domains VALUES (2, 2, true);
INSERT INTO public.company_domains VALUES (3, 3, true);
INSERT INTO public.company_domains VALUES (4, 3, true);

INSERT INTO public.company_external_ids VALUES (1, 'c0', 1, 'Company 0');
INSERT INTO public.company_external_ids VALUES (1, 'c1', 2, 'Company 1');
INSERT INTO public.company_external_ids VALUES (1, 'c2', 3, 'Company 2');
INSERT INTO public.company_external_ids VALUES (1, 'z', 4, 'Zyxon Quay Walls Inc.');

INSERT INTO public.company_identifiers VALUES ('cik', '0000000001', 1, 1, 'c0');
INSERT INTO public.company_identifiers VALUES ('cik', '0000000002', 2, 1, 'c1');
INSERT INTO public.company_identifiers VALUES ('cik', '0000000003', 3, 1, 'c2');

INSERT INTO public.company_join_names VALUES ('zyxonquaywalls', 1, 'z', 'inc', true, false, '{CA}', '{31-33}', '{}');

INSERT INTO public.company_merges OVERRIDING SYSTEM VALUE VALUES (1, 2, 5, 'one bakery', NULL, '2026-11-24 01:37:56.189+00', NULL, '{6}', '{"names": [{"own": false, "country": "CA", "source_id": 1, "legal_form": "", "normalized_name": "twin"}], "domains": [], "identifiers": [], "external_ids": []}', false, false);

INSERT INTO public.company_names VALUES (1, 'company 0', 'CA', 1, '');
INSERT INTO public.company_names VALUES (1, 'company 1', 'CA', 2, '');
INSERT INTO public.company_names VALUES (1, 'company 2', 'CA', 3, '');
INSERT INTO public.company_names VALUES (1, 'zyxon quay walls', 'CA', 4, 'inc');
INSERT INTO public.company_names VALUES (1, 'twin', 'CA', 2, '');
INSERT INTO public.company_names VALUES (2, 'demo', 'CA', 6, '');

INSERT INTO public.dataset_clock VALUES (true, 7, '2026-11-24 01:37:56.202+00', 'f617fe34-236b-4790-816e-18c852f19cf8', '2026-11-24 01:37:56.196+00', '2026-11-24 01:37:56.196+00');

INSERT INTO public.domains OVERRIDING SYSTEM VALUE VALUES (1, 'company0.example');
INSERT INTO public.domains OVERRIDING SYSTEM VALUE VALUES (2, 'company1.example');
INSERT INTO public.domains OVERRIDING SYSTEM VALUE VALUES (3, 'company2.example');
INSERT INTO public.domains OVERRIDING SYSTEM VALUE VALUES (4, 'harbour.example');

INSERT INTO public.embedding_models OVERRIDING SYSTEM VALUE VALUES (1, 'model', 1, 2, 0, 0, 0, NULL, NULL, NULL, '2026-11-24 01:37:56.205402+00', '-infinity', 0);

INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (1, 1, 'https://news.example/1', 'The company said that it is building a second hall.', '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL);
INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (2, 2, 'https://news.example/2', 'The company said that it is building a second hall.', '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL);
INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (3, 3, 'https://news.example/3', 'The company said that it is building a second hall.', '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL);
INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (4, 4, 'https://news.example/4', 'The company said that it is building a second hall.', '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL);
INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (5, 5, 'https://news.example/5', 'The company said that it is building a second hall.', NULL, '2026-03-02 09:00:00+00', NULL);
INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (6, 6, 'https://news.example/6', 'The company said that it is building a second hall.', '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL);
INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (7, 7, 'https://news.example/7', 'The company said that it is building a second hall.', '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL);
INSERT INTO public.evidence OVERRIDING SYSTEM VALUE VALUES (8, 8, 'https://news.example/8', 'The company said that it is building a second hall.', '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL);

INSERT INTO public.hostname_refreshes VALUES (4, 'unknown.example', '2026-11-24 01:37:56.212+00');

INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (1, 3, 1, 1, 1, 0, '2026-11-19 00:00:00+00', '2026-11-24 01:37:56.208+00', '2026-11-24 01:37:56.212+00');
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (2, 4, 1, 1, 1, 0, '2026-11-19 00:00:00+00', '2026-11-24 01:37:56.208+00', '2026-11-24 01:37:56.212+00');
INSERT INTO public.ledger OVERRIDING SYSTEM VALUE VALUES (3, 5, 1, 1, 0, 0, '2026-11-19 00:00:00+00', '2026-11-24 01:37:56.208+00', '2026-11-24 01:37:56.212+00');

INSERT INTO public.migrations VALUES ('pgmq', '1.11.1', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('0001_accounts', 'c28f66132c66b85189ca503d99df8840bb4164bcdc0532e788b0bab31375d0cc', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('0002_operations', '295da09aaa5b64e9923276169b37d3b3073477bc5990fcee7abde3b189fcc5cf', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('0003_dataset', '6c87268b2ce9dd590c26f6627c68faa3ca35e66881f82d7d048810eb2855ebbc', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('0004_search', '6f721115b23cadf0e4832fa972357bdce2ad760777afa5e77b3b1fbfd17bfef2', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('0005_operators', '0f55a1a72771758488744dc324f186776c7a02eb085f4c97aa81aaa9fffa0e8c', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('0006_operation_checks', '8b92790eb7639dc2e005b48fa7ddc9777c682fd5f59cbfc8f15cfa18e88c9867', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('0007_search_tables', '020eda44b528992828bbdd79ee1645b6cbfe07c09467e5955f2fc0bcc92831a1', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('0008_dataset_moments', '391a8a9c923800c3c8be3c6b2ea55074c1feb2189de6dfe3efc8b104b83c46e0', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('0009_statistics', '9dd5cf626f25920276fbcc11ca941270bf6b1b52a5dc7430f36776908942fac5', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('0010_references', 'be444385622d684992a64231886890226ff253acf5c18170d2445f7f56fdde7c', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('views/deliverable', '810a5911f7a87fb36b756ecf61e7bf83ad2b35701ad603c10ecd8880fc56c176', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/acquire_observations', 'cdf3d1d6f004f84255ef56380744210580cdf007f2f34b644e8ff1315e5150ab', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/advance_dataset_clock', '5b9272888e477e39b398bed172985ac93de18c8b6fe739629f037ce37356f8b2', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/allowance', 'a0857d3ddf6c6c7669f61ddad9cf080bbe95a860dc8ec63027c1ae6d62386bd9', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/answers', '708a5676776d1910c4d03b6a182d9f6061033b4e63b6eb684e9515706877c018', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/cancel_operation', '663bd64a164ca376e8de1b07d75c7f95634b2edf3d2d251c7c0e211257cf9329', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/claim_and_settle_operation', 'a8441bc627ce935f66432c7c411487d633512f739158e77e1157573ed43bb18b', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/claim_operation', 'fcfcfab6856af7b64a63703cdcab30da32a3cb0e102a77513a47dfbeb5d238ca', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/company_mentions', 'bb7a50ae45d25ce26a53d70e2a234689ed46b60f2fd6d0b8e0bc4dcb08f9f0ae', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/cut_excerpts', '789d4b7cab9dc6b6dfbbf6c8c5463e98b7297fae9c0cc0f1dc683503cc6b3bbe', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/deliverable_entries', '945083d2ed58bcfc854b7c9c161b330471f2fe294effe137b756371703578ef7', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/embeddings', '1944e76bc0741710a5f672b5bde01403c5dcddc7458ebcd9ebe560b01bce932a', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/find_caller', 'f1f70837d986734fa7227bac0a6d50a2a2763be26692e2fa7f6e8f91936e8347', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/find_company', '5438f3d2305e0267bce1eb055299ee4e09dd492042141205137c9f12a11e56b2', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/finish_operation', '775a6293019ea527d91841d09cbe2f5ae58c998951be085ab047120eedd5aa70', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/finish_refresh', 'd881b7942539edcc265712dce38905f53e9fd0936b8e36b4549182a3b526f9ad', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/give_back_leases', 'a106d6477495cac26fb4bebc2732b03528c0ab960f482248ca624334659b3de3', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/index_documents', '3609075003e2405174b712a7c987f0ae3748c503bfa939d54a2add29c08571ac', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/join_by_name', 'fa27ac221792dd54bbf0db6a545e9ebad9932f8db872a5c4bb53a6c349219218', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/join_companies', 'b645ea63b5e9d91a7d0654bedcb48bd79d2ec812f33415bad0bb72d1977183a1', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/last_version', 'd39c69a24564d9fe19557d84f5092d184c9d2c4dfe82da6ec2e9d64727b3d9aa', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/lease_feed', '75dd27a49e60d9d90ad2166bb79961df2910a03cdd28330932ba74ed1aec5786', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/lease_operation', 'ad4dcce0e7f56609249b4eeefd8ae6c0bda3f994edd7acb6d30295fe42e5dd00', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/lease_search_tables', '5cea814fdf8aa508b095eb8db2618bf48c84ac19d336f6ec9b4f1f07ef3ac9a3', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/list_observations', '223479c69beb96573d0ffb6fd13ed47f78bc96846843f48b2e0bf5b34a6ffde2', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/look_up_companies', '45b8807be13410f6d540b67b3aa620767dc631f68e8f86aac60cd5b736054416', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/manage_accounts', 'ef015f14966cfcda61a789a93a34bcfab598d3979afe1a82b3556a4a99c5904b', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/manage_companies', 'd845a43015123d039a924cc90ca0c5d8e52b15aa13dd1626b9b1daf66897f02e', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/manage_dataset', 'c1a1e3c481f07dd205c4adc7060ec423062e756b6d00d654afe4b2ceae3f716d', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/manage_sources', '5f7bf6a867948efa393f203b1601e78137397a3359e786b8f756748076605cd7', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/move_company', '9f70eb105ba375eeb0b2aa8627b695ee50c4a8c90b249d9cc7c6a6bd0d537a78', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/note_key_uses', '64eb76263d6bcf1a388b31286ed7da132cbc2c9586bf2a5acf421da9d6c1436d', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/observation_rows', 'e2b4c5588231e7ea9cb062cda67897145e763fc98ee0de39084fd751e8bd7ad4', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/queue_refreshes', 'cf5e014ddfb2b784d3b9f9a9b0856495582b422b68d91dc54de769b3e0c2fd71', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/read_company', '970a5c9fd2f74f1328ae2a2687ba1def014ee342f2ed8ba5b870b80ea484e85b', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/read_operation', '55ff55ad88834d1fd6f7f85fc3f75f6f9b41ba657ad276d99b8acd1d9f68b40a', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/read_usage', '9e5479aa59f85c35f9e3e286ace1b1195de1df9d30406738a36405ac5771cd52', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/record_companies', 'c6377b61ad17a84aaa33f05aa64e8a6fc082123c733a3a9d7863fd90722fdc74', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/record_observations', 'b7dbb0deae39ffcbd9319865b85cd898304b70586e843c3643c789a57c7185c0', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/relist_observations', '3f9299d59e2446fc065039f7b3b3340750ea95192b9d62321b377573de49857c', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/remove_demo', 'f7bb93b9f362b1f650348df8fe79da502ed5351e174a68f9d5d3ee66f9e0b115', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/semantic_models', 'f77aec42b51501e1a3a87725a73ea078ede583968759a821fa2fabfa5cfbf1a0', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/settle_operation', 'dc28c62efaedd3de8db1d50cc769c41959af5f375cb7503bf43cf038f878cce7', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/split_company', '619b836bad5d4d6c1d8bb0dc69a8ffa651e8c2cddf342118384c215bdf57acd2', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/subscription_report', '02a185e2e77dd309d531079ded83a2c0080e958a118484625eda91820c841432', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/sweep_operations', '5f69be5d010f7c1de454e7e003541097e7313033165abe2e9a163ee7cca91bf6', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/take_operation', 'ee215792ae45298604159feedf7bd2ca4a27dfa9112aad224e4e559919fb86d6', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/verify_usage', '81f654907914baddcc646fa4472ef4a1c4668bf4a8baf77fca8832e9e671de6c', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('functions/write_observations', '6289d4aeac2f05ca31759fc41c3205835a3d6305dfcdeaa4099fa19b19056b99', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('queue/operations', '', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('queue/refreshes', '', '2026-11-24 01:37:55.778102+00');
INSERT INTO public.migrations VALUES ('program', '0.1.0', '2026-11-24 01:37:55.778102+00');

INSERT INTO public.observation_domains VALUES (1, 1);
INSERT INTO public.observation_domains VALUES (2, 2);
INSERT INTO public.observation_domains VALUES (3, 3);
INSERT INTO public.observation_domains VALUES (7, 4);

INSERT INTO public.observation_embeddings VALUES (1, 2, '\x01', '\x7f00', 0.0078125, 1);

INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (1, 1, 'fact-0', 1, 'facility_expansion', 'A freezer warehouse opens.', 'New halls need refrigeration and racking.', 'proxy', 'CA', 0.8, '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL, '{31-33}', '\x8c7dd8766ed0b705ddb34630e4bd4fd9646f475dcdb5b8729feb3c27a2d1de9e', '2026-11-24 01:37:56.150995+00', NULL, NULL, 1, 'c0', NULL, '{cik:0000000001}', '{}', '{}');
INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (2, 1, 'fact-1', 2, 'facility_expansion', 'A bakery buys ovens.', 'New halls need refrigeration and racking.', 'proxy', 'CA', 0.8, '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL, '{31-33}', '\xd71a9d6dfa3776364a1fc74acd68d52ee75e5728c455054d0e9b7eb014aa1e8a', '2026-11-24 01:37:56.150996+00', NULL, NULL, 1, 'c1', NULL, '{cik:0000000002}', '{}', '{}');
INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (3, 1, 'fact-2', 3, 'facility_expansion', 'A harbour hires welders.', 'New halls need refrigeration and racking.', 'proxy', 'CA', 0.8, '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL, '{31-33}', '\xfb31a7a87a2cad5b15a661f30a67407def054fb1354ff5042f73caba7429bab2', '2026-11-24 01:37:56.150997+00', NULL, NULL, 1, 'c2', NULL, '{cik:0000000003}', '{}', '{}');
INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (5, 1, 'profile', 4, 'company_profile', 'Builds quay walls.', 'New halls need refrigeration and racking.', 'structural', 'CA', 0.8, NULL, '2026-03-02 09:00:00+00', NULL, '{31-33}', '\xc357fcbbbde66ddd89378071756523f4da9f94ff75e715420653bcfad4373811', '2026-11-24 01:37:56.150999+00', NULL, NULL, 1, 'z', NULL, NULL, '{}', '{}');
INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (7, 1, 'gain', 3, 'facility_expansion', 'A harbour grows.', 'New halls need refrigeration and racking.', 'proxy', 'CA', 0.8, '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL, '{31-33}', '\x0ecdb277344d0b6544f444220443ad3978ca68d401a06d54a91ebea1db588915', '2026-11-24 01:37:56.183+00', NULL, NULL, 2, 'c2', NULL, NULL, '{}', '{}');
INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (4, 1, 'withdrawn', 1, 'facility_expansion', 'A mine closes.', 'New halls need refrigeration and racking.', 'proxy', 'CA', 0.8, '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL, '{31-33}', '\xa8e0ed6cb6c7f18cfadd0b3719232f175bd9e570ef89915058cd915dff03b21d', '2026-11-24 01:37:56.150998+00', NULL, '2026-11-24 01:37:56.186703+00', 3, NULL, NULL, NULL, '{}', '{}');
INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (6, 1, 'merged', 2, 'facility_expansion', 'A bakery grows.', 'New halls need refrigeration and racking.', 'proxy', 'CA', 0.8, '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL, '{31-33}', '\x20551bf2a0a2a5d136187e9d4983d43a625ad4b8e36e992b8712781304ebd2d2', '2026-11-24 01:37:56.189+00', NULL, NULL, 5, NULL, NULL, NULL, '{}', '{}');
INSERT INTO public.observations OVERRIDING SYSTEM VALUE VALUES (8, 2, 'demo', 6, 'facility_expansion', 'A second cold storage hall is being built.', 'New halls need refrigeration and racking.', 'proxy', 'CA', 0.8, '2026-03-01 00:00:00+00', '2026-03-02 09:00:00+00', NULL, '{31-33}', '\x864c131bfcdeb6c35f8144b97fbf5b895d9426488e99af3cdba3df355c77482f', '2026-11-24 01:37:56.196+00', NULL, NULL, 6, NULL, NULL, NULL, '{}', '{}');

INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (1, 1, 1, 'expired', 'search_companies', '\x6bed846134e33ffd7b8f1ccbf59b8945bbbc04541b68a323b06ca361520d377a', '\x6bed846134e33ffd7b8f1ccbf59b8945bbbc04541b68a323b06ca361520d377a', NULL, 'expired', '2026-11-24 01:37:56.212+00', '2026-11-24 01:37:56.212+00', '2026-11-24 01:37:56.212+00', NULL, NULL, 1, '2026-11-19 00:00:00+00', '2026-11-24 01:37:56.208+00', 1, 10, 0, 0, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL, false);
INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (2, 1, 1, 'failed', 'search_companies', '\x404daabb3b0771be5bb1a791a8b86737839af4093d1867ec27b0e6e615728b6d', '\x404daabb3b0771be5bb1a791a8b86737839af4093d1867ec27b0e6e615728b6d', NULL, 'failed', '2026-11-24 01:37:56.212+00', '2026-11-24 01:52:56.212+00', '2026-11-24 01:37:56.212+00', NULL, NULL, NULL, '2026-11-19 00:00:00+00', '2026-11-24 01:37:56.208+00', 1, 10, 0, 0, 0, 'usage_failed', NULL, NULL, 0, NULL, NULL, NULL, false);
INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (3, 1, 1, 'first', 'search_companies', '\xbe2acc61cc7e1c96e16a575c8325d699c6a8f3f24a3bd9cd82eca07a8dac5ab2', '\xbe2acc61cc7e1c96e16a575c8325d699c6a8f3f24a3bd9cd82eca07a8dac5ab2', '{"limit": 1, "query": "bakery, harbour or freezer", "filters": {"kinds": [], "domains": [], "countries": [], "company_ids": [], "demand_classes": [], "observed_after": null, "occurred_after": null, "exclude_domains": [], "exclude_company_ids": []}}', 'delivered', '2026-11-24 01:37:56.212+00', '2026-11-24 01:52:56.212+00', '2026-11-24 01:37:56.212+00', NULL, NULL, NULL, '2026-11-19 00:00:00+00', '2026-11-24 01:37:56.208+00', 1, 1, 1, 1, 0, NULL, '{"as_of": "2026-11-24T01:37:56.212Z", "entries": [{"company_id": 1, "observation_ids": [1]}], "retrieval": "lexical", "limitations": []}', NULL, 0, 1, '_cjs87Js2jqoK9G_GbHakgk14024z4sa', NULL, false);
INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (4, 1, 1, 'listing', 'list_observations', '\x7068a1bd7d06ca1cfdb75966daee1be34cf67bef9e3d8c9a67c26be8faf4759b', '\x7068a1bd7d06ca1cfdb75966daee1be34cf67bef9e3d8c9a67c26be8faf4759b', '{"kinds": [], "limit": 1, "since": "2026-01-01T00:00:00.000000Z", "domains": ["company2.example"]}', 'delivered', '2026-11-24 01:37:56.212+00', '2026-11-24 01:52:56.212+00', '2026-11-24 01:37:56.212+00', NULL, NULL, NULL, '2026-11-19 00:00:00+00', '2026-11-24 01:37:56.208+00', 1, 1, 1, 1, 0, NULL, '{"as_of": "2026-11-24T01:37:56.150997Z", "domains": [{"status": "found", "hostname": "company2.example"}], "entries": [{"company_id": 3, "observation_ids": [3]}]}', NULL, 0, 0, '61vG33IaryrhFhxtWT2SRYYoZ0llLZS8', NULL, false);
INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (5, 1, 1, 'unknown', 'get_companies', '\xfcde625e855dee6febbee39b1762a54ad9c1049791af020e0b89f13d5d4cad4b', '\xfcde625e855dee6febbee39b1762a54ad9c1049791af020e0b89f13d5d4cad4b', '{"ids": [], "domains": ["unknown.example"]}', 'delivered', '2026-11-24 01:37:56.212+00', '2026-11-24 01:52:56.212+00', '2026-11-24 01:37:56.212+00', NULL, NULL, NULL, '2026-11-19 00:00:00+00', '2026-11-24 01:37:56.208+00', 1, 1, 1, 0, 0, NULL, '{"as_of": "2026-11-24T01:37:56.212Z", "entries": [], "lookups": [{"status": "not_found", "hostname": "unknown.example"}]}', NULL, 0, NULL, NULL, NULL, true);
INSERT INTO public.operations OVERRIDING SYSTEM VALUE VALUES (6, 1, 1, 'pending', 'search_companies', '\x3172d3a70481883f42dfc2351a1936c37b7fe2e142483cb5b2ee72a4770e3521', '\x3172d3a70481883f42dfc2351a1936c37b7fe2e142483cb5b2ee72a4770e3521', '{"limit": 10, "query": "ovens for a bakery", "filters": {"kinds": [], "domains": [], "countries": [], "company_ids": [], "demand_classes": [], "observed_after": null, "occurred_after": null, "exclude_domains": [], "exclude_company_ids": []}}', 'pending', '2026-11-24 01:37:56.212+00', '2026-11-24 01:52:56.212+00', NULL, NULL, NULL, 2, '2026-11-19 00:00:00+00', '2026-11-24 01:37:56.208+00', 1, 10, 0, 0, 0, NULL, NULL, NULL, 0, NULL, NULL, NULL, false);

INSERT INTO public.plans VALUES ('professional', 50, 3600, 600, 10000, 5000, 50000);
INSERT INTO public.plans VALUES ('demo', 25, 3600, 100, 1000, 1000, 10000);
INSERT INTO public.plans VALUES ('builder', 10, 604800, 120, 2000, 1000, 10000);

INSERT INTO public.relisted_observations VALUES (4, 3, '2026-11-24 01:37:56.182+00');

INSERT INTO public.search_tables VALUES (true, NULL, NULL, NULL, NULL, NULL);

INSERT INTO public.semantic_learning VALUES (true, '-infinity');

INSERT INTO public.semantic_models OVERRIDING SYSTEM VALUE VALUES (1, 0, 1, '\x00', '2026-11-24 01:37:56.204712+00');

INSERT INTO public.shortlists VALUES (3, NULL, '{"retrieval": "lexical", "limitations": []}', '{1,2,3}', '{1,2,2,3,3}', '{1,6,2,7,3}');
INSERT INTO public.shortlists VALUES (4, '{"until": "2026-11-24T01:37:56.202000Z", "complete": "2026-11-24T01:37:56.150997Z", "recorded_at": "2026-11-24T01:37:56.150997Z", "observation_id": 3}', NULL, NULL, NULL, NULL);

INSERT INTO public.source_feeds OVERRIDING SYSTEM VALUE VALUES (1, 3, 'acme', NULL, '06:00:00', '2026-11-24 01:37:56.203121+00', NULL, NULL, NULL, NULL, NULL, NULL, false, 0, NULL, NULL, NULL, NULL, NULL);

INSERT INTO public.sources OVERRIDING SYSTEM VALUE VALUES (1, 'acme-feed', true, '2026-11-24 01:37:56.144798+00', NULL, NULL, false);
INSERT INTO public.sources OVERRIDING SYSTEM VALUE VALUES (2, 'demo', true, '2026-11-24 01:37:56.19616+00', NULL, NULL, false);
INSERT INTO public.sources OVERRIDING SYSTEM VALUE VALUES (3, 'greenhouse', true, '2026-11-24 01:37:56.201275+00', NULL, NULL, false);
INSERT INTO public.sources OVERRIDING SYSTEM VALUE VALUES (4, 'homepage', true, '2026-11-24 01:37:56.204355+00', '1 day', NULL, false);

INSERT INTO public.subscriptions OVERRIDING SYSTEM VALUE VALUES (1, 1, 'builder', 'active', '2026-11-24 01:37:56.208+00', '2026-12-24 01:37:56.208+00');
INSERT INTO public.subscriptions OVERRIDING SYSTEM VALUE VALUES (2, 2, 'demo', 'active', '2026-11-24 01:37:56.212+00', '2026-12-24 01:37:56.212+00');

INSERT INTO public.withdrawn_evidence_uris OVERRIDING SYSTEM VALUE VALUES (1, 'https://news.example/withdrawn', '2026-11-24 01:37:56.187638+00');

SELECT pg_catalog.setval('pgmq.q_operations_msg_id_seq', 3, true);

SELECT pg_catalog.setval('pgmq.q_refreshes_msg_id_seq', 1, true);

SELECT pg_catalog.setval('public.accounts_id_seq', 2, true);

SELECT pg_catalog.setval('public.api_keys_id_seq', 3, true);

SELECT pg_catalog.setval('public.companies_id_seq', 6, true);

SELECT pg_catalog.setval('public.company_merges_id_seq', 1, true);

SELECT pg_catalog.setval('public.domains_id_seq', 4, true);

SELECT pg_catalog.setval('public.embedding_models_id_seq', 1, true);

SELECT pg_catalog.setval('public.evidence_id_seq', 8, true);

SELECT pg_catalog.setval('public.ledger_id_seq', 3, true);

SELECT pg_catalog.setval('public.observations_id_seq', 8, true);

SELECT pg_catalog.setval('public.operations_id_seq', 6, true);

SELECT pg_catalog.setval('public.semantic_models_id_seq', 1, true);

SELECT pg_catalog.setval('public.source_feeds_id_seq', 1, true);

SELECT pg_catalog.setval('public.sources_id_seq', 4, true);

SELECT pg_catalog.setval('public.subscriptions_id_seq', 2, true);

SELECT pg_catalog.setval('public.withdrawn_evidence_uris_id_seq', 1, true);

ALTER TABLE ONLY pgmq.a_operations
    ADD CONSTRAINT a_operations_pkey PRIMARY KEY (msg_id);

ALTER TABLE ONLY pgmq.a_refreshes
    ADD CONSTRAINT a_refreshes_pkey PRIMARY KEY (msg_id);

ALTER TABLE ONLY pgmq.meta
    ADD CONSTRAINT meta_queue_name_key UNIQUE (queue_name);

ALTER TABLE ONLY pgmq.notify_insert_throttle
    ADD CONSTRAINT notify_insert_throttle_queue_name_key UNIQUE (queue_name);

ALTER TABLE ONLY pgmq.q_operations
    ADD CONSTRAINT q_operations_pkey PRIMARY KEY (msg_id);

ALTER TABLE ONLY pgmq.q_refreshes
    ADD CONSTRAINT q_refreshes_pkey PRIMARY KEY (msg_id);

ALTER TABLE ONLY pgmq.topic_bindings
    ADD CONSTRAINT topic_bindings_unique_pattern_queue UNIQUE (pattern, queue_name);

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.allowances
    ADD CONSTRAINT allowances_pkey PRIMARY KEY (subscription_id);

ALTER TABLE public.allowances
    ADD CONSTRAINT allowances_sound CHECK (public.is_sound_allowance(allowances.*));

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.companies
    ADD CONSTRAINT companies_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.company_domains
    ADD CONSTRAINT company_domains_pkey PRIMARY KEY (domain_id, company_id);

ALTER TABLE ONLY public.company_external_ids
    ADD CONSTRAINT company_external_ids_pkey PRIMARY KEY (source_id, external_id);

ALTER TABLE ONLY public.company_identifiers
    ADD CONSTRAINT company_identifiers_one_of_a_scheme UNIQUE (company_id, scheme);

ALTER TABLE ONLY public.company_identifiers
    ADD CONSTRAINT company_identifiers_pkey PRIMARY KEY (scheme, value);

ALTER TABLE ONLY public.company_join_names
    ADD CONSTRAINT company_join_names_pkey PRIMARY KEY (join_name, source_id, external_id);

ALTER TABLE ONLY public.company_merges
    ADD CONSTRAINT company_merges_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.company_names
    ADD CONSTRAINT company_names_pkey PRIMARY KEY (source_id, normalized_name, country, company_id, legal_form);

ALTER TABLE ONLY public.dataset_clock
    ADD CONSTRAINT dataset_clock_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_hostname_key UNIQUE (hostname);

ALTER TABLE ONLY public.domains
    ADD CONSTRAINT domains_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.embedding_models
    ADD CONSTRAINT embedding_models_once UNIQUE (name, format);

ALTER TABLE ONLY public.embedding_models
    ADD CONSTRAINT embedding_models_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.hostname_refreshes
    ADD CONSTRAINT hostname_refreshes_pkey PRIMARY KEY (source_id, hostname);

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_one_settlement UNIQUE (operation_id);

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.observation_domains
    ADD CONSTRAINT observation_domains_pkey PRIMARY KEY (observation_id, domain_id);

ALTER TABLE ONLY public.observation_embeddings
    ADD CONSTRAINT observation_embeddings_pkey PRIMARY KEY (model_id, observation_id);

ALTER TABLE ONLY public.observations
    ADD CONSTRAINT observations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.observations
    ADD CONSTRAINT observations_source_record UNIQUE (source_id, external_id);

ALTER TABLE ONLY public.operations
    ADD CONSTRAINT operations_next_cursor_key UNIQUE (next_cursor);

ALTER TABLE ONLY public.operations
    ADD CONSTRAINT operations_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.operations
    ADD CONSTRAINT operations_request_key_once UNIQUE (account_id, request_key);

ALTER TABLE public.operations
    ADD CONSTRAINT operations_sound CHECK (public.is_sound_operation(operations.*));

ALTER TABLE ONLY public.plans
    ADD CONSTRAINT plans_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.relisted_observations
    ADD CONSTRAINT relisted_observations_pkey PRIMARY KEY (domain_id, observation_id);

ALTER TABLE ONLY public.search_tables
    ADD CONSTRAINT search_tables_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.semantic_learning
    ADD CONSTRAINT semantic_learning_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.semantic_models
    ADD CONSTRAINT semantic_models_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.shortlists
    ADD CONSTRAINT shortlists_pkey PRIMARY KEY (operation_id);

ALTER TABLE ONLY public.source_feeds
    ADD CONSTRAINT source_feeds_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.source_feeds
    ADD CONSTRAINT source_feeds_target_once UNIQUE (source_id, target);

ALTER TABLE ONLY public.sources
    ADD CONSTRAINT sources_name_key UNIQUE (name);

ALTER TABLE ONLY public.sources
    ADD CONSTRAINT sources_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_account_id_key UNIQUE (account_id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.withdrawn_evidence_uris
    ADD CONSTRAINT withdrawn_evidence_uris_pkey PRIMARY KEY (id);

CREATE INDEX archived_at_idx_operations ON pgmq.a_operations USING btree (archived_at);

CREATE INDEX archived_at_idx_refreshes ON pgmq.a_refreshes USING btree (archived_at);

CREATE INDEX idx_notify_throttle_active ON pgmq.notify_insert_throttle USING btree (queue_name, last_notified_at) WHERE (throttle_interval_ms > 0);

CREATE INDEX idx_topic_bindings_covering ON pgmq.topic_bindings USING btree (pattern) INCLUDE (queue_name, compiled_regex);

CREATE INDEX q_operations_vt_idx ON pgmq.q_operations USING btree (vt);

CREATE INDEX q_refreshes_vt_idx ON pgmq.q_refreshes USING btree (vt);

CREATE UNIQUE INDEX accounts_one_demo ON public.accounts USING btree (is_demo) WHERE is_demo;

CREATE INDEX api_keys_account ON public.api_keys USING btree (account_id);

CREATE INDEX company_domains_company ON public.company_domains USING btree (company_id);

CREATE INDEX company_external_ids_company ON public.company_external_ids USING btree (company_id, source_id);

CREATE INDEX company_join_names_company ON public.company_join_names USING btree (source_id, external_id);

CREATE INDEX company_merges_into ON public.company_merges USING btree (kept_id) WHERE (undone_at IS NULL);

CREATE UNIQUE INDEX company_merges_once ON public.company_merges USING btree (merged_id) WHERE (undone_at IS NULL);

CREATE INDEX company_merges_undone ON public.company_merges USING btree (kept_id, merged_id) WHERE (undone_at IS NOT NULL);

CREATE INDEX company_merges_undone_at ON public.company_merges USING btree (undone_at) WHERE (undone_at IS NOT NULL);

CREATE INDEX company_names_company ON public.company_names USING btree (company_id);

CREATE INDEX evidence_observation ON public.evidence USING btree (observation_id, id);

CREATE INDEX evidence_source_uri ON public.evidence USING hash (source_uri);

CREATE INDEX evidence_uncut ON public.evidence USING btree (id) WHERE (length(excerpt) > 600);

CREATE INDEX ledger_week ON public.ledger USING btree (subscription_id, week_start);

CREATE INDEX ledger_window ON public.ledger USING btree (subscription_id, window_start);

CREATE INDEX observation_domains_domain ON public.observation_domains USING btree (domain_id);

CREATE INDEX observation_embeddings_stored ON public.observation_embeddings USING btree (model_id, stored_seq, observation_id);

CREATE INDEX observations_changes ON public.observations USING btree (change_seq, id);

CREATE INDEX observations_company_latest ON public.observations USING btree (company_id, occurred_at DESC NULLS LAST, observed_at DESC, id DESC);

CREATE INDEX observations_company_recorded ON public.observations USING btree (company_id, recorded_at, id);

CREATE INDEX observations_expiry ON public.observations USING btree (expires_at, id) WHERE (expires_at IS NOT NULL);

CREATE INDEX operations_reserving ON public.operations USING btree (subscription_id, window_start) WHERE (status = ANY (ARRAY['pending'::text, 'processing'::text]));

CREATE INDEX operations_retained ON public.operations USING btree (finished_at) WHERE (status = 'delivered'::text);

CREATE INDEX operations_unfinished ON public.operations USING btree (deadline_at) WHERE (status = ANY (ARRAY['pending'::text, 'processing'::text]));

CREATE INDEX relisted_observations_recorded ON public.relisted_observations USING btree (domain_id, recorded_at, observation_id);

CREATE UNIQUE INDEX withdrawn_evidence_uris_once ON public.withdrawn_evidence_uris USING btree (md5(source_uri));

CREATE TRIGGER companies_advance_clock AFTER DELETE OR UPDATE OR TRUNCATE ON public.companies FOR EACH STATEMENT EXECUTE FUNCTION public.advance_dataset_clock_once();

CREATE TRIGGER evidence_advance_clock AFTER DELETE OR UPDATE OR TRUNCATE ON public.evidence FOR EACH STATEMENT EXECUTE FUNCTION public.advance_dataset_clock_once();

CREATE TRIGGER ledger_append_only BEFORE UPDATE OR TRUNCATE ON public.ledger FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_ledger_change();

CREATE TRIGGER ledger_keeps_settlements BEFORE DELETE ON public.ledger FOR EACH ROW EXECUTE FUNCTION public.refuse_ledger_deletion();

CREATE TRIGGER observations_advance_clock AFTER DELETE OR UPDATE OR TRUNCATE ON public.observations FOR EACH STATEMENT EXECUTE FUNCTION public.advance_dataset_clock_once();

CREATE TRIGGER sources_advance_clock AFTER DELETE OR UPDATE OF permitted OR TRUNCATE ON public.sources FOR EACH STATEMENT EXECUTE FUNCTION public.advance_dataset_clock_once();

ALTER TABLE ONLY pgmq.notify_insert_throttle
    ADD CONSTRAINT notify_insert_throttle_meta_queue_name_fk FOREIGN KEY (queue_name) REFERENCES pgmq.meta(queue_name) ON DELETE CASCADE;

ALTER TABLE ONLY pgmq.topic_bindings
    ADD CONSTRAINT topic_bindings_meta_queue_name_fk FOREIGN KEY (queue_name) REFERENCES pgmq.meta(queue_name) ON DELETE CASCADE;

ALTER TABLE ONLY public.allowances
    ADD CONSTRAINT allowances_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.companies
    ADD CONSTRAINT companies_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES public.companies(id);

ALTER TABLE ONLY public.company_domains
    ADD CONSTRAINT company_domains_company_id_fkey FOREIGN KEY (company_id) REFERENCES public.companies(id);

ALTER TABLE ONLY public.company_domains
    ADD CONSTRAINT company_domains_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);

ALTER TABLE ONLY public.company_external_ids
    ADD CONSTRAINT company_external_ids_company_id_fkey FOREIGN KEY (company_id) REFERENCES public.companies(id);

ALTER TABLE ONLY public.company_external_ids
    ADD CONSTRAINT company_external_ids_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.sources(id);

ALTER TABLE ONLY public.company_identifiers
    ADD CONSTRAINT company_identifiers_company_id_fkey FOREIGN KEY (company_id) REFERENCES public.companies(id);

ALTER TABLE ONLY public.company_identifiers
    ADD CONSTRAINT company_identifiers_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.sources(id);

ALTER TABLE ONLY public.company_join_names
    ADD CONSTRAINT company_join_names_source_id_external_id_fkey FOREIGN KEY (source_id, external_id) REFERENCES public.company_external_ids(source_id, external_id);

ALTER TABLE ONLY public.company_merges
    ADD CONSTRAINT company_merges_kept_id_fkey FOREIGN KEY (kept_id) REFERENCES public.companies(id);

ALTER TABLE ONLY public.company_merges
    ADD CONSTRAINT company_merges_merged_id_fkey FOREIGN KEY (merged_id) REFERENCES public.companies(id);

ALTER TABLE ONLY public.company_merges
    ADD CONSTRAINT company_merges_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.sources(id);

ALTER TABLE ONLY public.company_names
    ADD CONSTRAINT company_names_company_id_fkey FOREIGN KEY (company_id) REFERENCES public.companies(id);

ALTER TABLE ONLY public.company_names
    ADD CONSTRAINT company_names_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.sources(id);

ALTER TABLE ONLY public.evidence
    ADD CONSTRAINT evidence_observation_id_fkey FOREIGN KEY (observation_id) REFERENCES public.observations(id);

ALTER TABLE ONLY public.hostname_refreshes
    ADD CONSTRAINT hostname_refreshes_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.sources(id);

ALTER TABLE ONLY public.ledger
    ADD CONSTRAINT ledger_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES public.operations(id);

ALTER TABLE ONLY public.observation_domains
    ADD CONSTRAINT observation_domains_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);

ALTER TABLE ONLY public.observation_domains
    ADD CONSTRAINT observation_domains_observation_id_fkey FOREIGN KEY (observation_id) REFERENCES public.observations(id);

ALTER TABLE ONLY public.observation_embeddings
    ADD CONSTRAINT observation_embeddings_model_id_fkey FOREIGN KEY (model_id) REFERENCES public.embedding_models(id);

ALTER TABLE ONLY public.observation_embeddings
    ADD CONSTRAINT observation_embeddings_observation_id_fkey FOREIGN KEY (observation_id) REFERENCES public.observations(id);

ALTER TABLE ONLY public.observations
    ADD CONSTRAINT observations_company_id_fkey FOREIGN KEY (company_id) REFERENCES public.companies(id);

ALTER TABLE ONLY public.observations
    ADD CONSTRAINT observations_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.sources(id);

ALTER TABLE ONLY public.operations
    ADD CONSTRAINT operations_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES public.subscriptions(id);

ALTER TABLE ONLY public.relisted_observations
    ADD CONSTRAINT relisted_observations_domain_id_fkey FOREIGN KEY (domain_id) REFERENCES public.domains(id);

ALTER TABLE ONLY public.relisted_observations
    ADD CONSTRAINT relisted_observations_observation_id_fkey FOREIGN KEY (observation_id) REFERENCES public.observations(id);

ALTER TABLE ONLY public.shortlists
    ADD CONSTRAINT shortlists_operation_id_fkey FOREIGN KEY (operation_id) REFERENCES public.operations(id);

ALTER TABLE ONLY public.source_feeds
    ADD CONSTRAINT source_feeds_source_id_fkey FOREIGN KEY (source_id) REFERENCES public.sources(id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_plan_fkey FOREIGN KEY (plan) REFERENCES public.plans(name);
