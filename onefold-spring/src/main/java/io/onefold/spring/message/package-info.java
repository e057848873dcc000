/** Messages of Kafka and RabbitMQ, as listeners that are safe to repeat know them. */
@NullMarked
package io.onefold.spring.message;

import org.jspecify.annotations.NullMarked;
