package io.onefold.shop;

import java.math.BigDecimal;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** The payment provider, over HTTP. What has no answer is tried again: one service's retry is the other's duplicate. */
@Component
class PaymentProvider {
    static final int TRIES = 3;

    private static final Duration VALID_FOR = Duration.ofMinutes(10);

    private final RestClient http;

    PaymentProvider(RestClient.Builder builder, FakeProvider provider) {
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(2))
                .build());
        requests.setReadTimeout(Duration.ofSeconds(5));
        http = builder.requestFactory(requests).baseUrl(provider.url()).build();
    }

    /** When a charge that is begun now expires: by then it has arrived, or the provider refuses it. */
    static OffsetDateTime expiry() {
        return OffsetDateTime.now(ZoneOffset.UTC).plus(VALID_FOR);
    }

    /** @param key by which the provider recognises the repetition; without one it sees as many charges as tries */
    Receipt charge(@Nullable String key, long orderId, BigDecimal amount, OffsetDateTime until) {
        for (int attempt = 1; ; attempt++) {
            try {
                return post(key, orderId, amount, until);
            } catch (HttpClientErrorException e) {
                // any other error may hide a charge
                throw e.getStatusCode() == HttpStatus.PAYMENT_REQUIRED ? new PaymentRefusedException(e) : e;
            } catch (ResourceAccessException e) {
                if (attempt == TRIES) {
                    throw new ProviderSilentException(e);
                }
            }
        }
    }

    private Receipt post(@Nullable String key, long orderId, BigDecimal amount, OffsetDateTime until) {
        RestClient.RequestBodySpec request = http.post().uri("/charges");
        if (key != null) {
            request.header("Idempotency-Key", key);
        }
        Receipt receipt = request.body(Map.of("orderId", orderId, "amount", amount, "validUntil", until))
                .retrieve()
                .body(Receipt.class);
        if (receipt == null) {
            throw new IllegalStateException("the payment provider has answered without a receipt");
        }
        return receipt;
    }

    /** What was charged under a key, if anything. A provider that is out of order has not said that there is nothing. */
    Optional<Receipt> find(String key) {
        try {
            return Optional.of(Objects.requireNonNull(
                    http.get().uri("/charges/{key}", key).retrieve().body(Receipt.class)));
        } catch (HttpClientErrorException.NotFound e) {
            return Optional.empty();
        }
    }
}
