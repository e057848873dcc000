package io.onefold;

import io.onefold.store.RecordId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of lost work: at most one line for each operation and cause in a minute. What comes in between is counted, and the count is
 * told at the end of the minute. Keys are shown in their safe form.
 */
final class UnknownOutcomeLog {
    private static final Logger LOG = LoggerFactory.getLogger("io.onefold.unknown");
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int MOST_LINES = 1_000;

    private final Timer timer;
    private final String node;
    private final Map<LogTopic, PendingLogLine> lines = new HashMap<>();

    UnknownOutcomeLog(Timer timer, String node) {
        this.timer = timer;
        this.node = node;
    }

    /**
     * The subject of a log line.
     *
     * @param what became of the work; a sentence without its end
     * @param cause that lines are told apart by, beside the operation
     */
    private record LogTopic(String operation, String what, String cause, String advice, boolean error) {
        /** Returns the subject that stands for all others when there are too many. */
        LogTopic other() {
            return new LogTopic("several operations", what, "several causes", advice, error);
        }
    }

    private static final class PendingLogLine {
        long since;
        long more;

        @Nullable
        RecordId last;

        Timer.@Nullable Cancellable end;

        PendingLogLine(long since) {
            this.since = since;
        }
    }

    void warn(RecordId id, String what, String cause, String advice, @Nullable Throwable thrown) {
        tell(id, new LogTopic(id.operation(), what, cause, advice, false), thrown);
    }

    void error(RecordId id, String what, String cause, String advice, @Nullable Throwable thrown) {
        tell(id, new LogTopic(id.operation(), what, cause, advice, true), thrown);
    }

    private void tell(RecordId id, LogTopic topic, @Nullable Throwable thrown) {
        if (topic.error ? !LOG.isErrorEnabled() : !LOG.isWarnEnabled()) {
            return;
        }
        synchronized (lines) {
            long now = timer.nanos();
            LogTopic room = lines.containsKey(topic) || hasRoom(now) ? topic : topic.other();
            PendingLogLine line = lines.get(room);
            if (line != null && now - line.since < MINUTE.toNanos()) {
                line.more++;
                line.last = id;
                if (line.end == null) {
                    Duration left = MINUTE.minusNanos(now - line.since);
                    line.end = timer.after(left, () -> tellRest(room, line));
                }
                return;
            }
            lines.put(room, new PendingLogLine(now));
        }
        write(topic, id, "", thrown);
    }

    /** Forgets lines whose minute is over, if it has to. */
    private boolean hasRoom(long now) {
        if (lines.size() >= MOST_LINES) {
            Iterator<PendingLogLine> all = lines.values().iterator();
            while (all.hasNext()) {
                PendingLogLine line = all.next();
                if (line.more == 0 && now - line.since >= MINUTE.toNanos()) {
                    all.remove();
                }
            }
        }
        return lines.size() < MOST_LINES;
    }

    /** Tells now what would be told at the end of a minute. */
    void close() {
        Map<LogTopic, PendingLogLine> open;
        synchronized (lines) {
            open = Map.copyOf(lines);
        }
        open.forEach(this::tellRest);
    }

    /**
     * Logs how many more cases there were. This line counts, too: the next one comes a minute later at the earliest.
     */
    private void tellRest(LogTopic topic, PendingLogLine line) {
        long more;
        RecordId last;
        synchronized (lines) {
            more = line.more;
            last = line.last;
            line.more = 0;
            line.since = more > 0 ? timer.nanos() : line.since;
            if (line.end != null) {
                line.end.cancel();
                line.end = null;
            }
        }
        if (more > 0 && last != null) {
            write(topic, last, " (" + more + " more within a minute; this is the last of them)", null);
        }
    }

    private void write(LogTopic topic, RecordId id, String count, @Nullable Throwable thrown) {
        String line = topic.what + ": operation " + topic.operation + ", key " + id.safe() + ", node " + node
                + ", cause: " + topic.cause + count + ". " + topic.advice;
        if (topic.error) {
            LOG.error(line, thrown);
        } else {
            LOG.warn(line, thrown);
        }
    }
}
