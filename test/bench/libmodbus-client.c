/* PORT: for each line `READS` on stdin reads 10 holding registers that often over one connection to the loopback
 * interface, with libmodbus, and says `WALL_MS CPU_MS`. */
#include <modbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double cpu_ms(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
           (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static double wall_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

int main(int argc, char **argv) {
    uint16_t registers[10];
    int reads;
    if (argc != 2) return 2;
    while (scanf("%d", &reads) == 1) {
        modbus_t *context = modbus_new_tcp("127.0.0.1", atoi(argv[1]));
        modbus_set_slave(context, 1);
        if (modbus_connect(context) == -1) return 1;
        double wall = wall_ms(), cpu = cpu_ms();
        for (int read = 0; read < reads; read++)
            if (modbus_read_registers(context, 20, 10, registers) != 10 || registers[9] != 29) return 1;
        printf("%f %f\n", wall_ms() - wall, cpu_ms() - cpu);
        fflush(stdout);
        modbus_close(context);
        modbus_free(context);
    }
    return 0;
}
