/** Messages of Kafka and RabbitMQ for idempotent listeners. */
@NullMarked
package io.onefold.spring.message;

import org.jspecify.annotations.NullMarked;
