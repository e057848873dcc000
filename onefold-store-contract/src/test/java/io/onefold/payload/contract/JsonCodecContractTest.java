package io.onefold.payload.contract;

import io.onefold.payload.Codec;
import io.onefold.payload.JsonCodec;

class JsonCodecContractTest extends CodecContract {

    private static final JsonCodec CODEC = new JsonCodec();

    @Override
    protected Codec codec() {
        return CODEC;
    }
}
