package io.onefold.store.contract;

import io.onefold.store.ResultPayload;
import io.onefold.store.Status;
import io.onefold.store.StoredRecord;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** All that a record says, comparable and fit to be printed. */
record RecordImage(
        String scope,
        String operation,
        String key,
        Status status,
        UUID owner,
        long fence,
        int attempts,
        StoredRecord.RecordTimes times,
        @Nullable String hash,
        @Nullable String fields,
        List<String> superseded,
        @Nullable ResultPayload payload,
        @Nullable String checkpoint,
        @Nullable String bizId) {

    static RecordImage of(StoredRecord record) {
        return new RecordImage(
                record.id().scope(),
                record.id().operation(),
                record.id().key(),
                record.status(),
                record.owner(),
                record.fence(),
                record.attempts(),
                record.times(),
                hex(record.prints().hash()),
                hex(record.prints().fields()),
                record.prints().superseded().stream()
                        .map(HexFormat.of()::formatHex)
                        .toList(),
                record.payload(),
                hex(record.checkpoint()),
                record.bizId());
    }

    static @Nullable String hex(byte @Nullable [] bytes) {
        return bytes == null ? null : HexFormat.of().formatHex(bytes);
    }
}
