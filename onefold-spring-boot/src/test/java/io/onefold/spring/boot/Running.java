package io.onefold.spring.boot;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** An application that listens on some port, and a client of it. */
record Running(ConfigurableApplicationContext context, HttpClient client) implements AutoCloseable {
    static final String WITHOUT_JETTY =
            "--spring.autoconfigure.exclude=org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration";
    static final String WITHOUT_TOMCAT =
            "--spring.autoconfigure.exclude=org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration";

    /** In Tomcat, unless told otherwise. */
    static Running start(Class<?> application, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0", "--spring.main.banner-mode=off", "--spring.datasource.generate-unique-name=true"));
        arguments.addAll(List.of(more));
        if (Stream.of(more).noneMatch(argument -> argument.startsWith("--onefold.http.principal="))) {
            arguments.add("--onefold.http.principal=anonymous");
        }
        if (!arguments.contains(WITHOUT_TOMCAT)) {
            arguments.add(WITHOUT_JETTY);
        }
        return new Running(
                new SpringApplication(application).run(arguments.toArray(String[]::new)), HttpClient.newHttpClient());
    }

    HttpResponse<String> post(String path, String key, String body) throws Exception {
        return client.send(request(path, key, body).build(), HttpResponse.BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> postLater(String path, String key, String body) {
        return client.sendAsync(request(path, key, body).build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws Exception {
        return client.send(HttpRequest.newBuilder(address(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** @param key empty for none */
    HttpRequest.Builder request(String path, String key, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(address(path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        return key.isEmpty() ? request : request.header("Idempotency-Key", key);
    }

    private URI address(String path) {
        return URI.create(
                "http://localhost:" + context.getEnvironment().getRequiredProperty("local.server.port") + path);
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    @Override
    public void close() {
        context.close();
    }
}
